/** Outlines of the shapes of a drawing, around the middle of each, as SVG paths. The role of a step is its shape, its effect the line. */
import type { StepRole } from '../../../src-main/contract/services/deliveries.ts'
import type { StepEffect } from '../../../src-main/contract/services/deliveryPlan.ts'

interface Size {
  width: number
  height: number
}

/** Width of the tips of a destination. */
const tip = 18

/** Returns the outline of a step: a scanner has round ends, a processor is a rectangle, a destination has six corners. `inset`: pixels
 *  inside of the outermost outline. */
export function outlineOf(role: StepRole, { width, height }: Size, inset = 0): string {
  const [w, h] = [width / 2 - inset, height / 2 - inset]
  switch (role) {
    case 'scanner':
      return `M${h - w},${-h}H${w - h}A${h},${h},0,0,1,${w - h},${h}H${h - w}A${h},${h},0,0,1,${h - w},${-h}Z`
    case 'processor':
      return `M${-w},${-h}H${w}V${h}H${-w}Z`
    case 'destination':
      return `M${-w},0L${tip - w},${-h}H${w - tip}L${w},0L${w - tip},${h}H${tip - w}Z`
  }
}

/** Returns the outline of a router: a diamond. */
export function diamondOf({ width, height }: Size): string {
  const [w, h] = [width / 2, height / 2]
  return `M0,${-h}L${w},0L0,${h}L${-w},0Z`
}

/** Width of the outline. A step with an idempotent effect has a second line inside of it. */
export const lineWidthOf: Record<StepEffect, number> = { safe: 1.5, idempotent: 1.5, potent: 4 }

/** Pixels between the lines of a step with an idempotent effect. */
export const secondLineInset = 4

/** Dashes of the outline of a step that changes documents. */
export const mutatingDashes = '7 4'
