// Draws /share/{id}.png for each provider of the bundled catalogue: the picture in previews of links to a plan. On it,
// the provider's mark is on a plate in the provider's colour, with our pot in front. The head of a plan's page names
// the picture (public.page_head).
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Font, openSync } from 'fontkit'
import sharp from 'sharp'
import type { Plugin } from 'vite'
import catalogue from '../../supabase/provider-catalogue.json' with { type: 'json' }
import { providerInitials } from '../src/domain/initials.ts'
import { providerTheme } from '../src/features/plans/providers/provider-theme.ts'

/** The size that previews do not crop; the head of the page states it. */
const SIZE = { width: 1200, height: 630 }

const WEB = join(import.meta.dirname, '..')
const [PAPER, CLAY, INK, MUTED] = ['#FFFBF4', '#B4451F', '#2A1F18', '#6A625D']
const [LEFT, TEXT_WIDTH] = [88, 632]
const PLATE = { x: 835, y: 140, side: 280 }

const font = (file: string) => openSync(createRequire(import.meta.url).resolve(file)) as Font
/** Both fonts are variable and used in the default weights of their files: 800 for headings, 400 for text. */
const HEADINGS = font(
  '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2',
)
const TEXT = font('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')

const read = (file: string) => readFileSync(join(WEB, file), 'utf8')
const POT = read('public/favicon.svg').replace('<svg ', '<svg x="10" y="16" width="100" height="100" ')
const MARKS = read('src/features/plans/providers/provider-marks.svg')

export function sharePictures(): Plugin {
  return {
    name: 'potluck:share-pictures',
    async generateBundle() {
      const drawn = catalogue.map(async ({ id, name }) => {
        this.emitFile({ type: 'asset', fileName: `share/${id}.png`, source: await drawPicture(name) })
      })
      await Promise.all(drawn)
    },
  }
}

/** Draws a provider's picture as a PNG of 16 colours: enough for flat areas, and half as large as with 32. */
function drawPicture(provider: string): Promise<Buffer> {
  const { color } = providerTheme(provider)
  const { width, height } = SIZE
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="${PAPER}"/>
    <rect x="760" width="440" height="100%" fill="${color}" opacity=".1"/>
    <rect width="16" height="100%" fill="${color}"/>
    ${words(provider)}${plate(provider)}
    <svg x="989" y="346" width="190" height="190" viewBox="10 16 100 100"><path d="M28 45h64v3H28Z" fill="#8F3413"/>${POT}</svg>
  </svg>`
  return sharp(Buffer.from(svg))
    .png({ palette: true, colours: 16, dither: 0, compressionLevel: 9, effort: 1 })
    .toBuffer()
}

/** Our name, the headline and the motto below it, as one block centred vertically. */
function words(provider: string): string {
  const size = 78
  const lines = [...wrap(`Share ${provider}.`, size), 'Split the cost.']
  const top = (SIZE.height - (lines.length * size * 1.1 + 136)) / 2
  const line = (text: string, nth: number) =>
    outline(HEADINGS, text, LEFT, top + 62 + size * (0.9 + 1.1 * nth), size, INK)
  return [
    outline(HEADINGS, 'Potluck', LEFT, top + 30, 40, CLAY),
    ...lines.map(line),
    outline(TEXT, 'Everyone brings a share.', LEFT, top + lines.length * size * 1.1 + 128, 32, MUTED),
  ].join('')
}

/** Breaks a headline into as few lines of TEXT_WIDTH as possible. */
function wrap(text: string, size: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = [...lines.slice(-1), word].join(' ')
    const fits = widthOf(HEADINGS, longer, size) <= TEXT_WIDTH
    if (fits) lines.pop()
    lines.push(fits ? longer : word)
  }
  return lines
}

/** A plate with the provider's mark, or its initials over a shaded quarter circle, as ProviderLogo draws them. */
function plate(provider: string): string {
  const { color, onColor, mark, part } = providerTheme(provider)
  const { x, y, side } = PLATE
  const drawn = mark ? markOf(mark, part, onColor) : initialsOf(provider, onColor)
  return `<svg x="${x}" y="${y}" width="${side}" height="${side}">
    <clipPath id="plate"><rect width="100%" height="100%" rx="${side * 0.26}"/></clipPath>
    <g clip-path="url(#plate)"><rect width="100%" height="100%" fill="${color}"/>${drawn}</g>
  </svg>`
}

function markOf(name: string, part: number, fill: string): string {
  const symbol = new RegExp(`<symbol id="${name}" viewBox="0 0 24 24">(.*?)</symbol>`).exec(MARKS)
  if (!symbol) throw new Error(`provider-marks.svg has no ${name}`)
  const [size, from] = [`${part * 100}%`, `${(1 - part) * 50}%`]
  return `<svg x="${from}" y="${from}" width="${size}" height="${size}" viewBox="0 0 24 24" fill="${fill}">${symbol[1]}</svg>`
}

function initialsOf(provider: string, fill: string): string {
  const initials = providerInitials(provider)
  const size = PLATE.side * (initials.length === 1 ? 0.62 : 0.42)
  const x = (PLATE.side - widthOf(HEADINGS, initials, size)) / 2
  const shade = fill === '#FFFFFF' ? '#000000' : '#FFFFFF'
  return `<circle cx="100%" cy="100%" r="62%" fill="${shade}" opacity=".2"/>
    ${outline(HEADINGS, initials, x, PLATE.side / 2 + size * 0.35, size, fill)}`
}

const widthOf = (font: Font, text: string, size: number) =>
  (font.layout(text).advanceWidth * size) / font.unitsPerEm

/** Draws a text as shapes, so that it does not depend on the fonts of the machine that builds. */
function outline(font: Font, text: string, x: number, y: number, size: number, fill: string): string {
  const { glyphs, positions } = font.layout(text)
  let advanced = 0
  const shapes = glyphs.map(({ path }, nth) => {
    const shape = `<path transform="translate(${advanced})" d="${path.toSVG()}"/>`
    advanced += positions[nth]?.xAdvance ?? 0
    return shape
  })
  const scale = size / font.unitsPerEm
  return `<g fill="${fill}" transform="translate(${x} ${y}) scale(${scale} ${-scale})">${shapes.join('')}</g>`
}
