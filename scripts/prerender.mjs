// Puts the landing page's markup into the built index.html; the bare shell becomes app.html, for every other address.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Beasties from 'beasties'
import { build } from 'vite'
import { CACHE, ROOT } from './install.mjs'

const dist = join(ROOT, 'web', 'dist')
const outDir = join(CACHE, 'prerender')
await build({
  root: join(ROOT, 'web'),
  logLevel: 'error',
  build: { ssr: 'src/prerender.tsx', outDir, emptyOutDir: true },
})
const { renderLanding } = await import(pathToFileURL(join(outDir, 'prerender.js')).href)
const landing = await renderLanding()

const shell = readFileSync(join(dist, 'index.html'), 'utf8')
const manifest = JSON.parse(readFileSync(join(dist, '.vite', 'manifest.json'), 'utf8'))
rmSync(join(dist, '.vite'), { recursive: true })
writeFileSync(join(dist, 'app.html'), shell)
const page = [
  ['<div id="root"></div>', `<div id="root" data-ahead>${landing}</div>`],
  ['</head>', `${fontFaces()}${linksOf(['src/routes/_shell.tsx', 'src/routes/_shell/index.tsx'])}</head>`],
].reduce((text, [from, to]) => {
  if (!text.includes(from)) throw new Error(`web/index.html has no ${from}`)
  return text.replace(from, () => to)
}, shell)
// The rules this page uses go with it, the style sheets come after it: nothing stands between the page and its reader.
// The theme's own <style> stays whole: the inliner would drop the variables in it.
const inliner = new Beasties({
  path: dist,
  preload: 'body',
  pruneSource: false,
  fonts: false,
  reduceInlineStyles: false,
  logLevel: 'warn',
})
writeFileSync(join(dist, 'index.html'), await inliner.process(page))

/** Where the fonts are: rules the inliner leaves out, without which the text would break into other lines later on. */
function fontFaces() {
  const sheets = [...shell.matchAll(/<link rel="stylesheet"[^>]*href="\/([^"]+)"/g)]
  const faces = sheets.flatMap(
    ([, file]) => readFileSync(join(dist, file), 'utf8').match(/@font-face\{[^}]*\}/g) ?? [],
  )
  if (faces.length === 0) throw new Error('The build has no fonts')
  return `<style>${faces.join('')}</style>`
}

/** The styles these routes need before they can be read, and the scripts they need soon after. */
function linksOf(routes) {
  const styles = new Set()
  const scripts = new Set()
  const visit = (key) => {
    const { file, css = [], imports = [] } = manifest[key]
    if (scripts.has(file)) return
    scripts.add(file)
    for (const style of css) styles.add(style)
    imports.forEach(visit)
  }
  for (const route of routes) {
    const key = Object.keys(manifest).find((name) => name.startsWith(`${route}?`))
    if (!key) throw new Error(`${route} is not in the build`)
    visit(key)
  }
  const fresh = (files) => [...files].filter((file) => !shell.includes(`/${file}`))
  return [
    ...fresh(styles).map((file) => `<link rel="stylesheet" href="/${file}">`),
    ...fresh(scripts).map((file) => `<link rel="modulepreload" href="/${file}">`),
  ].join('')
}
