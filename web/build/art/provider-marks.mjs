import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as icons from 'simple-icons'

/**
 * Returns one SVG text with the marks that the catalogue names, from the icon set; pages without scripts can use it
 * too.
 */
export function drawMarks() {
  const catalogue = readFileSync(
    join(import.meta.dirname, '../../../supabase/provider-catalogue.json'),
    'utf8',
  )
  const known = new Map(Object.values(icons).map((icon) => [icon.slug, icon]))
  const names = new Set(
    JSON.parse(catalogue).flatMap((/** @type {{ mark?: string }} */ { mark }) => mark ?? []),
  )
  const symbols = [...names].map((name) => {
    const icon = known.get(name)
    if (!icon) throw new Error(`The icon set has no ${name}`)
    return `<symbol id="${name}" viewBox="0 0 24 24"><path d="${icon.path}"/></symbol>\n`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg">\n${symbols.join('')}</svg>\n`
}
