// A browser's globals for the screens, and Node's own for the server that runs in the same process: its database, its
// signatures and its HTTP all test values against Node's classes, which jsdom would replace.
import { builtinEnvironments, type Environment } from 'vitest/runtime'

const keptFromNode = [
  'AbortController',
  'AbortSignal',
  'ArrayBuffer',
  'Blob',
  'File',
  'FormData',
  'Headers',
  'Request',
  'Response',
  'Uint8Array',
  'URL',
  'URLSearchParams',
  'fetch',
] as const

const environment: Environment = {
  name: 'browser-beside-node',
  viteEnvironment: 'client',
  async setup(global, options) {
    const own = keptFromNode.map((name) => [name, global[name]] as const)
    const browser = await builtinEnvironments.jsdom.setup(global, options)
    for (const [name, value] of own)
      Object.defineProperty(global, name, { value, configurable: true, writable: true })
    return browser
  },
}

export default environment
