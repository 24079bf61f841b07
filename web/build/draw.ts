// Draws all pages in one language; a thread of the build runs this, whose data is the language.
import { parentPort, workerData } from 'node:worker_threads'
import type { drawPages } from './draw-pages.tsx'

export type Drawn = Awaited<ReturnType<typeof drawPages>>

globalThis.LANGUAGE = workerData
// Only now, as modules make their texts when they are loaded.
const { drawPages: draw } = await import('./draw-pages.tsx')
parentPort?.postMessage(await draw())
