// Draws pages with their data, for visitors. The web build may contain _server/draw.js, an Edge Function that answers
// GET <path and query> with the markup for the part of the page between DRAWN_FROM and DRAWN_TO. It runs in a thread for
// each language, which starts with the first page and ends when nobody has asked for a while.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Logger } from 'pino'
import {
  createFunctionWorker,
  type Answer as FunctionAnswer,
  FunctionFailed,
  type FunctionWorker,
} from '#functions/function-worker.ts'
import type { Answer } from '#rest/errors.ts'
import { SharedAnswers } from '#rest/shared-answers.ts'

/** The folder of a web build that is for the server: it is not served. */
export const SERVER_FOLDER = '_server'
const [DRAWN_FROM, DRAWN_TO] = ['<!--draw-->', '<!--/draw-->']

export interface Drawing {
  /**
   * Returns the markup of a page for a visitor, at most two seconds old, or undefined if it cannot be drawn in time.
   * `language` is empty for the site's first language; `address` is that of the visitor.
   */
  draw(page: { language: string; url: string; address: string }): Promise<string | undefined>
  close(): Promise<void>
}

interface DrawingOptions {
  webDir: string
  /** The script that runs an Edge Function. */
  script: string
  env: Record<string, string>
  /** The longest wait in ms for a page with its data, which includes starting a thread. */
  longestMs?: number
  /** A thread ends after this time in ms without a request. */
  idleMs?: number
  log: Logger
}

/** Undefined if the web build has nothing that draws. */
export function createDrawing({
  webDir,
  script,
  env,
  longestMs = 1_500,
  idleMs,
  log,
}: DrawingOptions): Drawing | undefined {
  const bundle = join(webDir, SERVER_FOLDER, 'draw.js')
  if (!existsSync(bundle)) return undefined
  // Paths may contain secrets, such as the link of a private plan.
  const discreet = log.child({}, { redact: ['path'] })
  const workers = new Map<string, FunctionWorker>()
  const workerFor = (language: string) => {
    const worker =
      workers.get(language) ??
      createFunctionWorker({
        ...{
          name: `pages ${language}`,
          script: pathToFileURL(script),
          bundle: pathToFileURL(bundle).href,
          log: discreet,
        },
        env: () => ({ ...env, LANGUAGE: language }),
        ...{ answerMs: longestMs, idleMs },
      })
    workers.set(language, worker)
    return worker
  }
  const pages = new SharedAnswers()
  return {
    draw: async ({ language, url, address }) => {
      const visit = { key: url, target: 'page', method: 'GET', header: () => undefined }
      const request = { method: 'GET', url, headers: [], body: null, address }
      const ask = async () => asAnswer(await workerFor(language).ask(request))
      const { status, body } = await pages
        .answer(visit, (at) => at(ask))
        .catch((error: unknown) => {
          if (error instanceof FunctionFailed) return { status: error.status, body: error.message }
          throw error
        })
      if (status === 200 && body !== null) return body
      log.warn({ status, body }, 'A page is shown without its data')
      return undefined
    },
    close: async () => {
      await Promise.all([...workers.values()].map((worker) => worker.close()))
    },
  }
}

const asAnswer = ({ status, headers, body }: FunctionAnswer): Answer => ({
  status,
  headers: Object.fromEntries(
    headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] ?? '']] : [])),
  ),
  body: typeof body === 'string' ? body : null,
})

/** True for a page that is drawn with its data. */
export const isDrawn = (page: string): boolean => page.includes(DRAWN_FROM)

/** Fills the drawn markup into the page. */
export function withDrawn(page: string, markup: string): string {
  const [from, to] = [page.indexOf(DRAWN_FROM), page.indexOf(DRAWN_TO)]
  return page.slice(0, from) + markup + page.slice(to + DRAWN_TO.length)
}
