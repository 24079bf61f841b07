// Creates documents, such as invoices and statements, as PDF/A-3, so that they look the same in ten years. Runs in Node
// and in Deno.
import anyAscii from 'any-ascii'
import pdfMake from 'pdfmake/build/pdfmake.js'
import fonts from 'pdfmake/build/vfs_fonts.js'
import type { Speech } from './words/papers.ts'

/** A table. The last `numbers` columns are aligned right, all others left. `sums` is a last row that stands out. */
export interface Table {
  head: readonly string[]
  rows: readonly (readonly string[])[]
  numbers: number
  sums?: readonly string[]
}

export interface Paper {
  title: string
  /** The author of the document, whose name is at its head and whose `foot` is at the foot of each page. */
  author: { name: string; foot: string }
  /** The date of the document: YYYY-MM-DD. */
  day: string
  /** Blocks that stand side by side under the title, each with a heading: addresses, numbers and dates. */
  blocks: readonly { heading: string; lines: readonly string[] }[]
  /** Paragraphs and tables, one below the other. */
  parts: readonly (string | Table)[]
}

const CLAY = '#B4451F'
const INK = '#2A1F18'
const MUTED = '#6F655F'
const RULE = '#E6DDD2'
const POT =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="10 16 100 100"><path d="M24 62c-12-2-14 16-2 19M96 62c12-2 14 16 2 19" fill="none" stroke="#8F3413" stroke-width="6" stroke-linecap="round"/><path d="M24 53h72c3 8 4 14 4 20 0 22-17 36-40 36S20 95 20 73c0-6 1-12 4-20Z" fill="#B4451F"/><rect x="20" y="47" width="80" height="11" rx="5.5" fill="#8F3413"/><path d="M27 46c3-12 16-18 33-18s30 6 33 18Z" fill="#C2542B"/><circle cx="60" cy="27" r="5" fill="#8F3413"/><path d="M41 77c2-4 8-4 10 0M69 77c2-4 8-4 10 0M53 87c4 4 10 4 14 0" fill="none" stroke="#2A1F18" stroke-width="4" stroke-linecap="round"/></svg>'

pdfMake.addVirtualFileSystem(fonts)

/**
 * Matches characters that the font may lack, such as Chinese and Hebrew letters and emoji. They would be drawn as empty
 * boxes, which PDF/A forbids.
 */
const UNDRAWABLE =
  /[^\n -~\u00A0-\u017F\u0218-\u021B\u0384-\u03CE\u0400-\u0482\u048A-\u0513\u1EA0-\u1EF9\u2000-\u200B\u2010\u2011\u2013-\u2015\u2018-\u201E\u2020-\u2022\u2026\u2030\u2039\u203A\u20AC\u2116\u2212]+/gu

/**
 * Returns a text that the font can draw: letters that the font lacks are transliterated, and words may break after
 * every 24 letters.
 */
export const drawable = (text: string) =>
  text
    .normalize('NFC')
    .replaceAll(UNDRAWABLE, (letters) => anyAscii(letters))
    .replaceAll(/\S{24}(?=\S)/gu, '$&\u200B')

export async function drawPaper(given: Paper, speech: Speech): Promise<Uint8Array> {
  const { title, author, day, blocks, parts } = JSON.parse(JSON.stringify(given), (_, value: unknown) =>
    typeof value === 'string' ? drawable(value) : value,
  ) as Paper
  const created = new Date(`${day}T00:00:00Z`)
  const paper = pdfMake.createPdf({
    version: '1.7',
    subset: 'PDF/A-3b',
    tagged: true,
    displayTitle: true,
    language: speech.language,
    info: {
      title,
      author: author.name,
      creator: 'Potluck',
      producer: 'Potluck',
      creationDate: created,
      modDate: created,
    },
    pageSize: 'A4',
    pageMargins: [56, 56, 56, 72],
    defaultStyle: { fontSize: 10, lineHeight: 1.3, color: INK },
    content: [
      {
        columns: [
          { svg: POT, width: 28 },
          { text: author.name, bold: true, color: CLAY, fontSize: 14, margin: [8, 6, 0, 0] },
        ],
      },
      { text: title, bold: true, fontSize: 22, margin: [0, 28, 0, 20] },
      { columns: blocks.map(toBlock), columnGap: 24, margin: below(28) },
      ...parts.map((part) => (typeof part === 'string' ? toParagraph(part) : toTable(part))),
    ],
    footer: (page: number, pages: number) => ({
      margin: [56, 16],
      fontSize: 8,
      color: MUTED,
      columns: [
        { text: author.foot },
        { text: speech.say('Page {page} of {pages}', { page, pages }), alignment: 'right', width: 90 },
      ],
    }),
  })
  return new Uint8Array(await paper.getBuffer())
}

const below = (space: number): [number, number, number, number] => [0, 0, 0, space]
const toParagraph = (text: string) => ({ text, margin: below(8) })

const toBlock = ({ heading, lines }: Paper['blocks'][number]) => ({
  stack: [{ text: heading, color: MUTED, fontSize: 9, margin: below(2) }, ...lines],
})

function toTable({ head, rows, numbers, sums }: Table) {
  const row = (cells: readonly string[], style: object) =>
    cells.map((text, at) => {
      const isNumber = at >= head.length - numbers
      return {
        text,
        alignment: isNumber ? ('right' as const) : ('left' as const),
        noWrap: isNumber,
        ...style,
      }
    })
  const above = sums ? rows.length + 1 : -1
  return {
    margin: below(24),
    table: {
      headerRows: 1,
      dontBreakRows: true,
      widths: head.map((_, at) => (at === 0 ? '*' : 'auto')),
      body: [
        row(head, { color: MUTED, fontSize: 9 }),
        ...rows.map((cells) => row(cells, {})),
        ...(sums ? [row(sums, { bold: true })] : []),
      ],
    },
    layout: {
      hLineWidth: (line: number) => (line === 0 ? 0 : line === above ? 1 : 0.5),
      hLineColor: (line: number) => (line === 1 || line === above ? INK : RULE),
      vLineWidth: () => 0,
      paddingLeft: (column: number) => (column === 0 ? 0 : 12),
      paddingRight: () => 0,
      paddingTop: () => 6,
      paddingBottom: () => 6,
    },
  }
}
