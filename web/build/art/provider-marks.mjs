// `node web/build/art/provider-marks.mjs` writes src/features/plans/providers/provider-marks.svg: the marks of all
// providers in one file, which pages without scripts can use too.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as icons from 'simple-icons'

const folder = join(import.meta.dirname, '../../src/features/plans/providers')

/** The marks that provider-marks.ts names, from the icon set, as one SVG text. */
export function drawMarks() {
  const table = readFileSync(join(folder, 'provider-marks.ts'), 'utf8')
  const names = new Set([...table.matchAll(/mark\('[^']+', '[^']+', '([^']+)'[,)]/g)].map(([, name]) => name))
  const known = new Map(Object.values(icons).map((icon) => [icon.slug, icon]))
  const symbols = [...names].map((name) => {
    const icon = known.get(name)
    if (!icon) throw new Error(`The icon set has no ${name}`)
    return `<symbol id="${name}" viewBox="0 0 24 24"><path d="${icon.path}"/></symbol>\n`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg">\n${symbols.join('')}</svg>\n`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  writeFileSync(join(folder, 'provider-marks.svg'), drawMarks())
