// Prevents two servers from using one embedded data folder, which would corrupt it.
import { createHash } from 'node:crypto'
import { realpathSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROJECT } from '../project.ts'
import { StartRefusal } from '../start-refusal.ts'

/** Thrown if another process is using this folder. */
export class FolderInUse extends StartRefusal {}

/**
 * Locks the folder until the returned function is called or the process ends in any way: the lock is a listening
 * socket, which the operating system closes even after SIGKILL.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const name = `${PROJECT.name}-${createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 32)}`
  const address = socketAddress(name)
  let server = await listen(address)
  // Outside Linux and Windows the socket is a file, which a killed process leaves behind.
  if (!server && address.startsWith('/') && !(await answers(address))) {
    rmSync(address, { force: true })
    server = await listen(address)
  }
  if (!server)
    throw new FolderInUse(`Another ${PROJECT.displayName} server is already using the data folder ${folder}.`)
  const held = server
  return () => new Promise((done) => held.close(() => done()))
}

function socketAddress(name: string): string {
  if (process.platform === 'linux') return `\0${name}`
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`
  return join(tmpdir(), `${name}.sock`)
}

function listen(path: string): Promise<Server | undefined> {
  return new Promise((done, fail) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? done(undefined) : fail(error),
    )
    server.listen({ path, exclusive: true }, () => {
      server.unref()
      done(server)
    })
  })
}

function answers(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(path)
    socket.once('connect', () => done(true))
    socket.once('error', () => done(false))
  })
}
