// Compiles the messages in our sources: English texts are parsed at build time, so English needs no catalog and
// browsers parse no messages. The ids that other languages look up are computed from these texts at run time.
import { type NodePath, type PluginItem, transformAsync, types } from '@babel/core'
import macro from '@lingui/babel-plugin-lingui-macro'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import type { Plugin } from 'vite'
import { readCatalog, takeApart } from './languages.ts'
import { linguiConfig, MARKED, parserOpts } from './lingui.ts'
import { isIn, noteTexts, type Part, partNeededBy } from './parts.ts'
import { writeRefusals } from './refusals.ts'

export function messages(): Plugin {
  let sourceMaps = true
  return {
    name: 'potluck:messages',
    enforce: 'pre',
    configResolved({ command, build }) {
      sourceMaps = command === 'serve' || build.sourcemap !== false
    },
    buildStart: writeRefusals,
    // Catalogs: compiled messages by id, of one part if the query names it.
    load: {
      filter: { id: /\.po(?:\?|$)/ },
      handler: (id) => {
        const [file = '', part = 'everybody'] = id.split('?part=')
        const isApp = !file.includes('/catalogue/')
        const found = readCatalog(file, 'translation', (text) => !isApp || isIn(part as Part, text))
        return { code: `export default ${JSON.stringify(found)}`, moduleType: 'js' }
      },
    },
    transform: {
      filter: { id: /\.tsx?(?:\?|$)/, code: MARKED },
      handler: async (code, id) => {
        const made = await say(code, { filename: id.replace(/\?.*$/, ''), sourceMaps }, id)
        const part = partNeededBy(id)
        if (!made || !part) return made
        // Imports run first wherever they stand, and modules make their texts as they load.
        return {
          code: `import { loadTexts } from '#lib/language-parts.ts';await loadTexts('${part}');${made.code}`,
          map: made.map,
        }
      },
    },
  }
}

/** Cached results by source, because the app is built twice from the same sources. */
const known = new Map<string, ReturnType<typeof translate>>()

async function say(code: string, options: { filename: string; sourceMaps: boolean }, module: string) {
  const key = JSON.stringify([options, code])
  const made = known.get(key) ?? translate(code, options)
  known.set(key, made)
  const { texts, ...result } = await made
  noteTexts(module, texts)
  return result.code ? { code: result.code, map: result.map } : null
}

async function translate(code: string, options: { filename: string; sourceMaps: boolean }) {
  const texts: string[] = []
  const made = await transformAsync(code, {
    ...options,
    babelrc: false,
    configFile: false,
    parserOpts,
    plugins: [[macro, { linguiConfig, stripMessageField: false }], shorten(texts)],
  })
  // A string, since an object could be changed by the plugins that receive it.
  return { code: made?.code, map: made?.map ? JSON.stringify(made.map) : null, texts }
}

/**
 * Turns `say._({ id, message: "{n} of {all}", values })` into `say([["n"], " of ", ["all"]], values)`; an id with a
 * context stays last. Adds the ids to `texts`.
 */
const shorten = (texts: string[]): PluginItem => ({
  visitor: {
    // The macro runs first, on entering, but leaves its imports; this one walk shortens all calls and removes the
    // imports.
    Program(program: NodePath<types.Program>) {
      types.traverseFast(program.node, (node) => {
        if (types.isCallExpression(node)) shortenCall(node, texts)
        else if (types.isJSXSpreadAttribute(node)) shortenElement(node, texts)
      })
      program.node.body = program.node.body.filter(
        (one) => !types.isImportDeclaration(one) || !MARKED.test(one.source.value),
      )
      program.skip()
    },
  },
})

function shortenCall(call: types.CallExpression, texts: string[]) {
  const [said] = call.arguments
  if (!types.isMemberExpression(call.callee) || !types.isObjectExpression(said)) return
  const { id, message, values } = fieldsOf(said)
  if (!types.isIdentifier(call.callee.property, { name: '_' }) || !id || !message) return
  texts.push(textOf(id))
  call.callee = call.callee.object
  const given = values ?? types.objectExpression([])
  call.arguments = hasContext(id, message)
    ? [taken(message), given, id]
    : [taken(message), ...(values ? [values] : [])]
}

function shortenElement({ argument }: types.JSXSpreadAttribute, texts: string[]) {
  if (!types.isObjectExpression(argument)) return
  const { id, message } = fieldsOf(argument)
  if (!id || !message) return
  texts.push(textOf(id))
  argument.properties = argument.properties.filter(
    (field) => !types.isObjectProperty(field) || field.value !== id || hasContext(id, message),
  )
  for (const field of argument.properties)
    if (types.isObjectProperty(field) && field.value === message) field.value = taken(message)
}

const fieldsOf = ({ properties }: types.ObjectExpression): Record<string, types.Expression> =>
  Object.fromEntries(
    properties.flatMap((field) =>
      types.isObjectProperty(field) && types.isIdentifier(field.key) && types.isExpression(field.value)
        ? [[field.key.name, field.value]]
        : [],
    ),
  )

const textOf = (node: types.Expression): string => {
  if (!types.isStringLiteral(node)) throw new Error('A message that is no text cannot be translated.')
  return node.value
}

const taken = (message: types.Expression) => types.valueToNode(takeApart(textOf(message)))

/** Lingui makes ids from the text and its context, so an id that differs from the text's alone has a context. */
const hasContext = (id: types.Expression, message: types.Expression) =>
  textOf(id) !== generateMessageId(textOf(message))
