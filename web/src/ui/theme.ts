import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type VariantColorsResolver,
  virtualColor,
} from '@mantine/core'
import { beet, clay, herb, honey, ink, night, paper, stone } from './colors.ts'
import { components } from './theme-components.ts'

const brand = { clay, herb, honey, beet }

/** Mixes `part` (0 to 1) of one colour with another, both in #RRGGBB. */
function tint(color: string, part: number, ground: string): string {
  const mixed = [1, 3, 5].map((at) => {
    const [over = 0, under = 0] = [color, ground].map((one) => Number.parseInt(one.slice(at, at + 2), 16))
    return Math.round(over * part + under * (1 - part))
      .toString(16)
      .padStart(2, '0')
  })
  return `#${mixed.join('')}`
}

/** The product's own button variants, in addition to Mantine's. */
const variantColorResolver: VariantColorsResolver = (input) => {
  switch (input.variant) {
    case 'primary':
      return defaultVariantColorsResolver({ ...input, color: 'clay', variant: 'filled' })
    case 'secondary':
      return defaultVariantColorsResolver({ ...input, color: 'clay', variant: 'default' })
    case 'success':
      return defaultVariantColorsResolver({ ...input, color: 'herb', variant: 'filled' })
    case 'warning':
      return defaultVariantColorsResolver({ ...input, color: 'honey', variant: 'filled' })
    case 'ghost':
      return defaultVariantColorsResolver({ ...input, color: input.color ?? 'clay', variant: 'subtle' })
    default:
      return defaultVariantColorsResolver(input)
  }
}

export const theme = createTheme({
  colors: {
    clayTones: clay,
    herbTones: herb,
    honeyTones: honey,
    beetTones: beet,
    clay: virtualColor({ name: 'clay', light: 'clayTones', dark: 'clayTones' }),
    herb: virtualColor({ name: 'herb', light: 'herbTones', dark: 'herbTones' }),
    honey: virtualColor({ name: 'honey', light: 'honeyTones', dark: 'honeyTones' }),
    beet: virtualColor({ name: 'beet', light: 'beetTones', dark: 'beetTones' }),
    gray: stone,
    dark: night,
  },
  primaryColor: 'clay',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  luminanceThreshold: 0.19,
  white: '#FFFFFF',
  black: ink,
  variantColorResolver,
  defaultGradient: { from: 'clay.7', to: 'clay.6', deg: 160 },
  fontFamily: "'Inter Variable', 'Inter Stand-in', system-ui, sans-serif",
  headings: {
    fontFamily: "'Bricolage Grotesque Variable', 'Bricolage Grotesque Stand-in', system-ui, sans-serif",
    fontWeight: '700',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: 'clamp(1.75rem, 1.35rem + 1.8vw, 2.5rem)', lineHeight: '1.12' },
      h2: { fontSize: 'clamp(1.375rem, 1.2rem + 0.8vw, 1.75rem)', lineHeight: '1.2' },
      h3: { fontSize: '1.1875rem', lineHeight: '1.3' },
      h4: { fontSize: '1.0625rem', lineHeight: '1.35' },
    },
  },
  radius: { xs: '4px', sm: '8px', md: '10px', lg: '14px', xl: '24px' },
  defaultRadius: 'md',
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  shadows: {
    xs: '0 1px 2px rgb(42 31 24 / 6%), 0 6px 20px rgb(42 31 24 / 6%)',
    sm: '0 1px 2px rgb(42 31 24 / 6%), 0 6px 20px rgb(42 31 24 / 6%)',
    md: '0 2px 4px rgb(42 31 24 / 6%), 0 12px 32px rgb(42 31 24 / 10%)',
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  components,
})

/** Colours that follow the scheme, in place of those from Mantine's own palette. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: { '--potluck-touch': '44px' },
  light: {
    '--mantine-color-body': paper,
    '--mantine-color-text': ink,
    '--mantine-color-dimmed': '#6A5F55',
    '--mantine-color-placeholder': '#6F6459',
    '--mantine-color-error': beet[7],
    '--mantine-color-success': herb[7],
    '--mantine-color-default-border': stone[3],
    '--mantine-color-disabled': stone[1],
    '--mantine-color-disabled-color': stone[6],
    '--mantine-color-honey-text': honey[9],
    '--mantine-color-honey-outline': honey[8],
    '--potluck-card': '#FFFFFF',
    '--potluck-line': stone[2],
    '--potluck-sunken': stone[0],
  },
  dark: {
    '--mantine-color-body': night[7],
    '--mantine-color-dimmed': night[2],
    '--mantine-color-placeholder': '#9C948B',
    '--mantine-color-error': '#F08A9C',
    '--mantine-color-success': herb[4],
    '--mantine-color-disabled': night[5],
    '--mantine-color-disabled-color': '#9C948B',
    ...Object.fromEntries(
      Object.entries(brand).flatMap(([name, tones]) => [
        [`--mantine-color-${name}-outline`, tones[4]],
        // The text on this colour is dark, so the colour gets lighter on hover.
        [`--mantine-color-${name}-filled-hover`, tones[3]],
        // Mantine's own value is darker and would disappear into the card.
        [`--mantine-color-${name}-light`, tint(tones[4], 0.26, night[6])],
        [`--mantine-color-${name}-light-hover`, tint(tones[4], 0.36, night[6])],
        [`--mantine-color-${name}-light-color`, tones[2]],
      ]),
    ),
    '--mantine-color-gray-light': tint(stone[4], 0.16, night[6]),
    '--mantine-color-gray-light-hover': tint(stone[4], 0.24, night[6]),
    '--potluck-card': night[6],
    '--potluck-line': '#3A312A',
    '--potluck-sunken': '#1C1713',
  },
})
