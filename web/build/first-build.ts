// The app is built twice. The first build, which nobody is served, finds out who needs which module, once all that is unused is gone;
// and as it runs in Node, it draws the pages.
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
const LANDING = join(import.meta.dirname, 'draw-landing.tsx')

export interface FirstBuild {
  chunks: Rolldown.OutputChunk[]
  /** The style sheets of the landing page: paths, in the order they are imported. */
  sheets: string[]
  english: Promise<Drawn>
  /** The pages in each language, English first. */
  drawn: Promise<Drawn[]>
}

let made: Promise<FirstBuild> | undefined

/** What a build finds out first, once; `plugins` are those that make the same modules of the sources. */
export function firstBuild(plugins?: PluginOption): Promise<FirstBuild> {
  made ??= buildFirst(plugins)
  return made
}

/** What is found out anew next time. */
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
    // The modules that browsers get, except where a package has others for drawing.
    ssr: {
      noExternal: true,
      target: 'webworker',
      resolve: { conditions: ['worker', ...defaultClientConditions] },
    },
    build: {
      outDir,
      ssr: true,
      minify: false,
      rolldownOptions: { input: ['src/main.tsx', DRAW], experimental: { lazyBarrel: true } },
    },
  }).catch(async (problem: unknown) => {
    await rm(outDir, { recursive: true })
    throw problem
  })) as Rolldown.RolldownOutput
  const chunks = output.filter((part) => part.type === 'chunk')
  const file = chunks.find(({ facadeModuleId }) => facadeModuleId === DRAW)?.fileName
  if (!file) throw new Error('The first build cannot draw.')
  const draw = (language: string) => drawIn(language, join(outDir, file))
  // The build that follows waits for the English landing page alone.
  const english = draw(ENGLISH)
  const drawn = english.then(async (first) => [first, ...(await Promise.all(languages().map(draw)))])
  // Whoever waits for the pages hears of a failure, and nobody may be waiting yet.
  drawn.catch(() => undefined).finally(() => rm(outDir, { recursive: true }))
  return { chunks, sheets, english, drawn }
}

/** In a thread of its own, since modules make their texts once. */
async function drawIn(language: string, file: string): Promise<Drawn> {
  const thread = new Worker(file, { workerData: language })
  try {
    const [drawn] = await once(thread, 'message')
    return drawn
  } finally {
    await thread.terminate()
  }
}

/** The build that follows gives pictures their names. */
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
