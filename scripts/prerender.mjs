// Puts the landing page's markup into the built index.html; the bare shell becomes app.html, for every other address.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PurgeCSS } from 'purgecss'
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

// Every other address starts the app at once, so what it starts with is named before the first script could ask for it.
const app = filesOf(['src/routes/_shell.tsx'])
writeFileSync(
  join(dist, 'app.html'),
  filled(shell, [
    [
      '</head>',
      [
        ...app.scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
        ...app.styles.map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
        '</head>',
      ].join('\n    '),
    ],
  ]),
)

// The rules this page uses go with it, and nothing else is loaded before it can be read: the app brings its own.
const page = filesOf(['src/routes/_shell.tsx', 'src/routes/_shell/index.tsx'])
const [{ css }] = await new PurgeCSS().purge({
  content: [{ raw: shell + landing, extension: 'html' }],
  css: [{ raw: page.styles.map((file) => readFileSync(join(dist, file), 'utf8')).join('\n') }],
  // Set before the first paint, or by the browser.
  dynamicAttributes: ['data-mantine-color-scheme', 'data-returning'],
})
writeFileSync(
  join(dist, 'index.html'),
  filled(shell, [
    ['<div id="root"></div>', `<div id="root" data-ahead>${landing}</div>`],
    ['</head>', `<style>${css}</style>${[...page.styles, ...page.scripts].map(later).join('')}</head>`],
  ]),
)

// Loaded when the page is at rest, and in use from the moment the app stands there: until then the page needs none of it.
function later(file) {
  const kind = file.endsWith('.css')
    ? 'data-later="stylesheet" media="not all"'
    : 'data-later="modulepreload"'
  return `<link ${kind} crossorigin data-file="/${file}">`
}

function filled(text, places) {
  return places.reduce((sofar, [from, to]) => {
    if (!sofar.includes(from)) throw new Error(`web/index.html has no ${from}`)
    return sofar.replace(from, () => to)
  }, text)
}

/** The style sheets and scripts that the app starts with and that these routes need, in the order they load. */
function filesOf(routes) {
  const styles = new Set()
  const scripts = new Set()
  const visit = (key) => {
    const { file, css: own = [], imports = [] } = manifest[key]
    if (scripts.has(file)) return
    scripts.add(file)
    imports.forEach(visit)
    for (const style of own) styles.add(style)
  }
  manifest['index.html'].dynamicImports.forEach(visit)
  for (const route of routes) {
    const key = Object.keys(manifest).find((name) => name.startsWith(`${route}?`))
    if (!key) throw new Error(`${route} is not in the build`)
    visit(key)
  }
  const fresh = (files) => [...files].filter((file) => !shell.includes(`/${file}`))
  return { styles: fresh(styles), scripts: fresh(scripts) }
}
