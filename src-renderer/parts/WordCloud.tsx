/** Words by their weight, placed so that none covers another (d3-cloud). The picture has no text of its own for a screen reader: a table with
 *  the same words belongs next to it. */
import cloud from 'd3-cloud'
import { useEffect, useRef, useState } from 'react'
import styles from './parts.module.css'

interface WordCloudProps {
  label: string
  words: readonly { word: string; weight: number }[]
}

const height = 240
/** Pixels of the letters of the word with the lowest and the highest weight. */
const [lettersMin, lettersMax] = [12, 40]

/** A word at its place: the distance of its middle from the middle of the picture. */
interface PlacedWord {
  text?: string
  size?: number
  x?: number
  y?: number
}

export function WordCloud({ label, words }: WordCloudProps) {
  const place = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const [placed, setPlaced] = useState<readonly PlacedWord[]>([])
  useEffect(() => {
    const element = place.current
    if (!element) return
    const resized = new ResizeObserver(() => setWidth(element.clientWidth))
    resized.observe(element)
    return () => resized.disconnect()
  }, [])
  useEffect(() => {
    const element = place.current
    if (!element || width === 0) return
    const most = Math.max(...words.map(({ weight }) => weight))
    const layout = cloud<PlacedWord>()
      .size([width, height])
      .words(
        words.map(({ word, weight }) => ({
          text: word,
          size: lettersMin + (lettersMax - lettersMin) * (weight / most),
        })),
      )
      .font(getComputedStyle(element).fontFamily)
      .fontSize(({ size = lettersMin }) => size)
      .padding(3)
      .rotate(0)
      // The same words are at the same places each time.
      .random(() => 0.5)
      .on('end', setPlaced)
    layout.start()
    return () => void layout.stop()
  }, [words, width])
  return (
    <div ref={place} role="img" aria-label={label} style={{ height }}>
      <svg width={width} height={height} viewBox={`${-width / 2} ${-height / 2} ${width} ${height}`} aria-hidden>
        {placed.map(({ text, size, x, y }) => (
          <text key={text} className={styles.cloudWord} textAnchor="middle" x={x} y={y} fontSize={size}>
            {text}
          </text>
        ))}
      </svg>
    </div>
  )
}
