import postcss from 'postcss'
import type { Plugin } from 'vite'
import { firstBuild } from './first-build.ts'

/** A class of Mantine's. */
const CLASS = /\bm_[0-9a-f]+\b/g

/** Leaves out the styles of Mantine's components that the app does not use: a third of its style sheet. */
export function usedStyles(): Plugin {
  return {
    name: 'potluck:used-styles',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /@mantine\/core\/styles\.layer\.css$/ },
      handler: async (code) => {
        const { chunks } = await firstBuild()
        const used = new Set(chunks.flatMap((chunk) => chunk.code.match(CLASS) ?? []))
        const sheet = postcss.parse(code)
        sheet.walkRules((rule) => {
          const left = rule.selectors.filter((one) =>
            (one.match(CLASS) ?? []).every((name) => used.has(name)),
          )
          if (left.length > 0) rule.selectors = left
          else rule.remove()
        })
        return { code: sheet.toString(), map: null }
      },
    },
  }
}
