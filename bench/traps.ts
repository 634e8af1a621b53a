/** Generates patterns of crawler traps as national archives maintain them, and URLs as their harvests find them, the same in every
 *  run. The patterns are written as for Heritrix, for the whole URL, with `.*` at both ends. */
import { Dice } from './fuzz/dice.ts'

/** Words that URLs and patterns consist of. */
const words =
  'news sport culture archive event calendar forum thread page article product shop image gallery user profile search tag category print comment login help about contact blog post month day year week list view item detail download media video photo map weather tide museum library harbour ship lighthouse school city council church club band market garden river bridge'.split(
    ' ',
  )

/** Traps of widespread software. */
const ofSoftware = [
  String.raw`.*index\.php\?module=EventDiary&func=view&tplview=.*`,
  String.raw`.*modules\.php\?name=EventDiary&op=modload&file=index.*`,
  String.raw`.*/calendar/(19|20[3-9])\d.*`,
  String.raw`.*calendar.*[?&](month|year|day)=(-|19|20[3-9])\d*.*`,
  String.raw`.*/events/\d{4}-\d{2}-\d{2}/.*`,
  String.raw`.*[?&](PHPSESSID|phpsessid|sessionid|sid)=[0-9a-fA-F]{16,40}.*`,
  String.raw`.*;jsessionid=[0-9A-F]{16,40}.*`,
  String.raw`.*[?&]replytocom=\d+.*`,
  String.raw`.*[?&]share=(twitter|facebook|pinterest|email).*`,
  String.raw`.*[?&]action=(edit|history|raw|diff|info).*`,
  String.raw`.*index\.php/Special:(RecentChanges|WhatLinksHere|Log).*`,
  String.raw`.*/viewtopic\.php\?.*[?&]sid=[0-9a-f]{32}.*`,
  String.raw`.*[?&](sort|order|orderby|dir)=[a-z]+&(sort|order|orderby|dir)=[a-z]+&(sort|order|orderby|dir)=.*`,
  String.raw`.*/(print|mailto|sendtofriend)\.(php|asp|aspx)\?.*`,
  String.raw`.*[?&]filter(_|%5B)[a-z]+=.*&filter(_|%5B)[a-z]+=.*&filter(_|%5B)[a-z]+=.*`,
  String.raw`.*/cart/(add|remove|empty)/.*`,
  String.raw`.*[?&]add-to-cart=\d+.*`,
  String.raw`.*/tag/[^/]+/tag/[^/]+/.*`,
  String.raw`.*/feed/(feed/)+.*`,
  String.raw`.*(/[a-z]+\.html){3,}.*`,
]

/** Traps of single sites, as they are added after a harvest has run into one. */
const ofSites: ((host: string, one: string, other: string) => string)[] = [
  (host, one) => String.raw`^https?://(www\.)?${host}/${one}/.*`,
  (host, one) => String.raw`.*\.?${host}/.*[?&]${one}=.*`,
  (host, one, other) => String.raw`.*${host}/${one}/${other}/(19|20)\d\d/\d\d?/.*`,
  (host, one) => String.raw`.*${host}.*/(${one}/){2,}.*`,
  (host) => String.raw`^https?://[^/]*\.${host}/.*\?.*=.*&.*=.*&.*=.*&.*=.*`,
]

/** The first `count` patterns: those of widespread software, then those of single sites. */
export function trapPatterns(count: number): string[] {
  const dice = new Dice(7, 1)
  const word = () => words[dice.below(words.length)] ?? ''
  const made = new Set(ofSoftware)
  while (made.size < count) {
    const site = ofSites[made.size % ofSites.length]
    if (site) made.add(site(String.raw`${word()}${dice.below(2_000)}\.test`, word(), word()))
  }
  return [...made]
}

/** Random URLs; very few of them match a trap. */
export function foundUrls(count: number): string[] {
  const dice = new Dice(7, 2)
  const word = () => words[dice.below(words.length)] ?? ''
  const path = () => Array.from({ length: 1 + dice.below(4) }, word).join('/')
  const ends = [
    () => '/',
    () => '/',
    () => `-${dice.below(100_000)}.html`,
    () => `.${['jpg', 'png', 'css', 'js', 'pdf'][dice.below(5)]}`,
    () => `/index.php?${word()}=${dice.below(1_000)}&${word()}=${word()}`,
    () => `?page=${dice.below(50)}&sort=${word()}`,
    () => `/${2_000 + dice.below(50)}/${1 + dice.below(12)}/${1 + dice.below(28)}/`,
    () => `?utm_source=${word()}&utm_medium=${word()}&id=${dice.below(1_000_000)}&lang=da`,
  ]
  return Array.from(
    { length: count },
    () => `https://www.${word()}${dice.below(2_000)}.test/${path()}${ends[dice.below(ends.length)]?.() ?? ''}`,
  )
}
