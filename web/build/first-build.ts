// The app is built twice. The first build is never served: it shows which modules each page needs once unused code is
// removed and, because it runs in Node, prerenders the pages.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { build, defaultClientConditions, type Plugin, type PluginOption, type Rolldown } from 'vite'
import type { Drawn } from './draw.ts'
import { ENGLISH, languages } from './language/languages.ts'
import { reach } from './reach.ts'

const ROOT = join(import.meta.dirname, '..')
const DRAW = join(import.meta.dirname, 'draw.ts')
const PAGE_FUNCTION = join(import.meta.dirname, 'page-function.ts')
const LANDING = join(import.meta.dirname, 'draw-landing.tsx')
export const LANDING_SCRIPT = join(ROOT, 'landing/landing.ts')

export interface FirstBuild {
  chunks: Rolldown.OutputChunk[]
  /** The style sheets of the landing page: paths, in the order they are imported. */
  sheets: string[]
  english: Promise<Drawn>
  /** The prerendered pages in each language, English first. */
  drawn: Promise<Drawn[]>
  /** The code of page-function.ts with all that it imports. */
  pageFunction: Promise<string>
}

let made: Promise<FirstBuild> | undefined

/** Runs the first build once and returns its results. `plugins` compile our sources, as in the second build. */
export function firstBuild(plugins?: PluginOption): Promise<FirstBuild> {
  made ??= buildFirst(plugins)
  return made
}

/** Discards the results: the next call of firstBuild() builds again. */
export function endFirstBuild(): void {
  made = undefined
}

async function buildFirst(plugins: PluginOption): Promise<FirstBuild> {
  const outDir = await mkdtemp(join(tmpdir(), 'first-build-'))
  let sheets: string[] = []
  const findSheets: Plugin = {
    name: 'potluck:find-sheets',
    buildEnd() {
      sheets = styleSheets(LANDING, (id) => this.getModuleInfo(id)?.importedIds ?? [])
    },
  }
  const { output } = (await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    plugins: [plugins, namesOfPictures, findSheets],
    // Resolves modules as for browsers, except in packages with other modules for rendering (condition `worker`).
    ssr: {
      noExternal: true,
      target: 'webworker',
      resolve: { conditions: ['worker', ...defaultClientConditions] },
    },
    build: {
      outDir,
      ssr: true,
      minify: false,
      rolldownOptions: {
        input: ['src/main.tsx', LANDING_SCRIPT, DRAW, PAGE_FUNCTION],
        experimental: { lazyBarrel: true },
      },
    },
  }).catch(async (problem: unknown) => {
    await rm(outDir, { recursive: true })
    throw problem
  })) as Rolldown.RolldownOutput
  const chunks = output.filter((part) => part.type === 'chunk')
  const fileOf = (source: string) => {
    const file = chunks.find(({ facadeModuleId }) => facadeModuleId === source)?.fileName
    if (!file) throw new Error(`The first build has no ${source}`)
    return join(outDir, file)
  }
  const draw = (language: string) => drawIn(language, fileOf(DRAW))
  // English first: the second build begins with the English landing page, and needs the other languages at its end.
  const english = draw(ENGLISH)
  const drawn = english.then(async (first) => [first, ...(await Promise.all(languages().map(draw)))])
  const pageFunction = drawn.then(() => inOneFile(fileOf(PAGE_FUNCTION)))
  // Catches the error here, because nobody may be awaiting these yet; those who await them later still get the error.
  pageFunction.catch(() => undefined).finally(() => rm(outDir, { recursive: true }))
  return { chunks, sheets, english, drawn, pageFunction }
}

/** Prerenders one language's pages in a new thread: modules translate their texts only once, when they are loaded. */
async function drawIn(language: string, file: string): Promise<Drawn> {
  const thread = new Worker(file, { workerData: language })
  try {
    const [drawn] = await once(thread, 'message')
    return drawn
  } finally {
    await thread.terminate()
  }
}

/** Bundles a file of the first build with all that it imports, also dynamically. */
async function inOneFile(input: string): Promise<string> {
  const { output } = (await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true, target: 'webworker' },
    build: {
      ssr: true,
      write: false,
      minify: true,
      rolldownOptions: { input, output: { codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput
  return output[0].code
}

/** Imports pictures as the paths of their sources: only the second build knows their final names. */
const namesOfPictures: Plugin = {
  name: 'potluck:names-of-pictures',
  enforce: 'pre',
  load: {
    filter: { id: /\.(?:svg|png|webp)$/ },
    handler: (id) => `export default ${JSON.stringify(id.replace(ROOT, ''))}`,
  },
}

/** The style sheets of a module and of what it imports, in the order they are imported, each once. */
export const styleSheets = (id: string, importsOf: (id: string) => Iterable<string>): string[] =>
  [...reach([id], (module) => (module.endsWith('.css') ? [] : importsOf(module)))].filter((module) =>
    module.endsWith('.css'),
  )
