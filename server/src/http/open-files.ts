// Detects that this process cannot open more files. The system then resets new connections without telling the process.
import { open } from 'node:fs/promises'
import type { Logger } from 'pino'

const LOOK_MS = 10_000

/** Logs an error every ten seconds while no file can be opened. Returns a function that stops these checks. */
export function watchOpenFiles(log: Logger, { everyMs = LOOK_MS, file = process.execPath } = {}): () => void {
  const look = async () => {
    try {
      await (await open(file)).close()
    } catch (err) {
      log.error(
        { err },
        'This process can open no more files or connections: raise its limit (LimitNOFILE, ulimit -n)',
      )
    }
  }
  const timer = setInterval(look, everyMs).unref()
  return () => clearInterval(timer)
}
