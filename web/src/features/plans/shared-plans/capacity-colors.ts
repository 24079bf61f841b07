import type { CapacityTone } from '#domain/slots.ts'

/** The bar's four tones in colours of the theme. */
export const CAPACITY_COLORS: Record<CapacityTone, string> = {
  green: 'herb',
  blue: 'blue',
  amber: 'honey',
  red: 'beet',
}
