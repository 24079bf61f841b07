// Makes of the messages in our sources what the app says: each gets the id by which languages know it, and its English text, taken
// apart ahead, so that English needs no catalog and no browser parses messages.
import { type NodePath, type PluginItem, transformAsync, types } from '@babel/core'
import macro from '@lingui/babel-plugin-lingui-macro'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'
import { readCatalog } from './catalogs.ts'
import { linguiConfig, MARKED, parserOpts } from './lingui.ts'
import { writeRefusals } from './refusals.ts'

export function messages(): Plugin {
  return {
    name: 'potluck:messages',
    enforce: 'pre',
    buildStart: writeRefusals,
    // A catalog: its messages by their ids, taken apart as well.
    load: {
      filter: { id: /\.po$/ },
      async handler(id) {
        const catalog = await readCatalog(id)
        const taken = Object.entries(catalog).map(([key, text]) => [key, compileMessageOrThrow(text)])
        return { code: `export default ${JSON.stringify(Object.fromEntries(taken))}`, moduleType: 'js' }
      },
    },
    transform: {
      filter: { id: /\.tsx?(?:\?|$)/, code: MARKED },
      async handler(code, id) {
        const made = await transformAsync(code, {
          filename: id,
          babelrc: false,
          configFile: false,
          sourceMaps: true,
          parserOpts,
          plugins: [[macro, { linguiConfig, stripMessageField: false }], takeApart],
        })
        return made?.code && made.map ? { code: made.code, map: made.map } : null
      },
    },
  }
}

/** `say._({ id, message: "{n} of {all}", values })` becomes `say(id, [["n"], " of ", ["all"]], values)`. */
const takeApart: PluginItem = {
  visitor: {
    Program: {
      exit(program: NodePath<types.Program>) {
        program.traverse({
          CallExpression({ node }) {
            const [said] = node.arguments
            if (!types.isMemberExpression(node.callee) || !types.isObjectExpression(said)) return
            const { id, message, values } = fieldsOf(said)
            if (!types.isIdentifier(node.callee.property, { name: '_' }) || !id || !message) return
            node.callee = node.callee.object
            node.arguments = [id, taken(message), ...(values ? [values] : [])]
          },
          JSXSpreadAttribute({ node: { argument } }) {
            if (!types.isObjectExpression(argument)) return
            const { id, message } = fieldsOf(argument)
            if (!id || !message) return
            for (const field of argument.properties)
              if (types.isObjectProperty(field) && field.value === message)
                field.value = taken(message, false)
          },
        })
      },
    },
  },
}

const fieldsOf = ({ properties }: types.ObjectExpression): Record<string, types.Expression> =>
  Object.fromEntries(
    properties.flatMap((field) =>
      types.isObjectProperty(field) && types.isIdentifier(field.key) && types.isExpression(field.value)
        ? [[field.key.name, field.value]]
        : [],
    ),
  )

function taken(message: types.Expression, shortly = true): types.Expression {
  if (!types.isStringLiteral(message)) throw new Error('A message that is no text cannot be translated.')
  const parts = compileMessageOrThrow(message.value)
  // What has no places to fill is shorter as it is.
  return shortly && parts.every((part) => typeof part === 'string')
    ? types.stringLiteral(parts.join(''))
    : types.valueToNode(parts)
}
