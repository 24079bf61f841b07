// Finds the changes in a later API that break a promised one. Additions break nothing, nor do new values in answers,
// which clients are told to expect.

/** The parts of an OpenAPI document that a client relies on. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  [key: string]: unknown
}
interface OperationBody {
  required?: boolean
  content?: Record<string, { schema: Schema }>
  [key: string]: unknown
}
export interface Parameter {
  $ref?: string
  name?: string
  in?: string
  required?: boolean
  schema?: Schema
  [key: string]: unknown
}
export interface Operation {
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: OperationBody
  responses: Record<string, OperationBody & { $ref?: string }>
  [key: string]: unknown
}
export interface OpenApi {
  info: { version: string; [key: string]: unknown }
  paths: Record<string, Record<string, Operation>>
  components?: Record<string, Record<string, unknown>>
  [key: string]: unknown
}

/** Returns whether both documents promise the same, even if in different words. */
export const isSamePromise = (before: OpenApi, after: OpenApi) => wordless(before) === wordless(after)

const wordless = ({ info: _, tags: __, ...promised }: OpenApi) =>
  JSON.stringify(promised, (key, value) =>
    ['description', 'summary'].includes(key) && typeof value === 'string' ? undefined : value,
  )

/** Returns a sentence for each thing that works with `before` but not with `after`. */
export function breaks(before: OpenApi, after: OpenApi): string[] {
  const said: string[] = []
  const resolve = <T extends { $ref?: string }>(document: OpenApi, one: T | undefined): T | undefined => {
    const [, , kind = '', name = ''] = one?.$ref?.split('/') ?? []
    return one?.$ref ? (document.components?.[kind]?.[name] as T | undefined) : one
  }

  // Requests that worked must still be accepted, and answers must still be understood.
  const compare = (where: string, isSent: boolean, given: Schema | undefined, taken: Schema | undefined) => {
    const [old, now] = [resolve(before, given), resolve(after, taken)]
    if (!old) return
    if (!now) return void said.push(`${where} is gone`)
    const [had, has] = [typesOf(old), typesOf(now)]
    const [narrow, wide] = isSent ? [had, has] : [has, had]
    if (wide.size > 0 && (narrow.size === 0 || ![...narrow].every((type) => wide.has(type))))
      said.push(`${where} was ${listed(had)} and is ${listed(has)}`)
    if (old.format !== now.format && (!isSent || now.format))
      said.push(`${where} was ${old.format ?? 'of any format'} and is ${now.format ?? 'of any format'}`)
    for (const value of old.enum ?? (isSent && now.enum ? [undefined] : []))
      if (now.enum && !now.enum.includes(value))
        said.push(
          value === undefined
            ? `${where} is limited to some values`
            : `${where} can no longer be ${JSON.stringify(value)}`,
        )
    if (!isSent && old.enum && !now.enum) said.push(`${where} is no longer limited to known values`)
    if (old.items) compare(`each of ${where}`, isSent, old.items, now.items)
    for (const [name, schema] of Object.entries(old.properties ?? {})) {
      compare(`${where}.${name}`, isSent, schema, now.properties?.[name])
      if (!isSent && old.required?.includes(name) && now.properties?.[name] && !now.required?.includes(name))
        said.push(`${where}.${name} may be missing`)
    }
    for (const name of isSent ? (now.required ?? []) : [])
      if (!old.required?.includes(name)) said.push(`${where}.${name} has to be sent`)
  }

  for (const [path, operations] of Object.entries(before.paths))
    for (const [method, old] of Object.entries(operations)) {
      const call = `${method.toUpperCase()} ${path}`
      const now = after.paths[path]?.[method]
      if (!now) {
        said.push(`${call} is gone`)
        continue
      }
      if (
        !now.security?.length ||
        !now.security.some((one) =>
          scopes(one).every((scope) => old.security?.some((had) => scopes(had).includes(scope))),
        )
      )
        said.push(`${call} needs another scope: ${(now.security ?? []).flatMap(scopes).join(', ') || 'none'}`)
      const parameters = (document: OpenApi, of: Operation) =>
        new Map(
          (of.parameters ?? [])
            .map((one) => resolve(document, one))
            .map((one) => [`${one?.in} ${one?.name}`, one]),
        )
      const [known, offered] = [parameters(before, old), parameters(after, now)]
      for (const [name, one] of known)
        compare(`${call}: ${name}`, true, one?.schema ?? {}, offered.get(name)?.schema)
      for (const [name, one] of offered)
        if (one?.required && !known.get(name)?.required) said.push(`${call}: ${name} has to be sent`)
      compare(
        `${call}: what is sent`,
        true,
        schemaOf(old.requestBody) ?? { type: 'object' },
        schemaOf(now.requestBody) ?? { type: 'object' },
      )
      for (const [status, answer] of Object.entries(old.responses).filter(([one]) => one.startsWith('2'))) {
        if (!now.responses[status]) said.push(`${call} no longer answers ${status}`)
        else compare(`${call}: the answer`, false, schemaOf(answer), schemaOf(now.responses[status]))
      }
    }
  return [...new Set(said)]
}

const scopes = (security: Record<string, string[]>) => Object.values(security).flat()
const typesOf = ({ type }: Schema) => new Set(type === undefined ? [] : [type].flat())
const listed = (types: Set<string>) => [...types].join(' or ') || 'anything'
const schemaOf = (body: OperationBody | undefined) => body?.content?.['application/json']?.schema
