// Runs in a worker thread of the build: prerenders all pages in the language that `workerData` names.
import { parentPort, workerData } from 'node:worker_threads'
import type { drawPages } from './draw-pages.tsx'

export type Drawn = Awaited<ReturnType<typeof drawPages>>

globalThis.LANGUAGE = workerData
// Imported only now, because modules translate their texts into LANGUAGE when they are loaded.
const { drawPages: draw } = await import('./draw-pages.tsx')
parentPort?.postMessage(await draw())
