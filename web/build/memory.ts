// The app is built twice, and both builds make the same modules of the sources.
import type { Plugin, PluginOption } from 'vite'

interface Made {
  of: string
  result: unknown
}

/** These plugins, all instances of which make a module once, as long as its source stays the same. */
export async function remembering(option: PluginOption): Promise<Plugin[]> {
  const given = await option
  if (Array.isArray(given)) return (await Promise.all(given.map(remembering))).flat()
  return given ? [withMemory(given)] : []
}

const memory = new Map<string, Made>()

function withMemory(plugin: Plugin): Plugin {
  const { name, transform } = plugin
  if (typeof transform !== 'object') return plugin
  const { handler } = transform
  return {
    ...plugin,
    transform: {
      ...transform,
      async handler(code, id, options) {
        const before = memory.get(`${name} ${id}`)
        if (before?.of === code) return before.result as ReturnType<typeof handler>
        const result = await handler.call(this, code, id, options)
        memory.set(`${name} ${id}`, { of: code, result })
        return result
      },
    },
  }
}
