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
    // Otherwise React would create a console task for every element, for a debugger that is not open.
    Object.assign(console, { createTask: undefined })
    // All files of a worker share one window, because React and the testing library keep the first one they see.
    if ('document' in global) return { teardown: () => undefined }
    const own = keptFromNode.map((name) => [name, global[name]] as const)
    await builtinEnvironments.jsdom.setup(global, options)
    for (const [name, value] of own)
      Object.defineProperty(global, name, { value, configurable: true, writable: true })
    return { teardown: () => undefined }
  },
}

export default environment
