import * as z from 'zod/mini'
import { query } from '#lib/query.ts'

const schema = z.object({
  $ref: z.optional(z.string()),
  type: z.optional(z.union([z.string(), z.array(z.string())])),
  format: z.optional(z.string()),
  enum: z.optional(z.array(z.nullable(z.string()))),
  description: z.optional(z.string()),
  required: z.optional(z.array(z.string())),
  get items() {
    return z.optional(schema)
  },
  get properties() {
    return z.optional(z.record(z.string(), schema))
  },
})
type Schema = z.infer<typeof schema>

const body = z.object({ content: z.optional(z.object({ 'application/json': z.object({ schema }) })) })
const parameter = z.object({
  name: z.string(),
  description: z.string(),
  required: z.optional(z.boolean()),
  schema,
})
const document = z.object({
  info: z.object({ version: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        tags: z.array(z.string()),
        summary: z.string(),
        description: z.string(),
        parameters: z.array(z.union([parameter, z.object({ $ref: z.string() })])),
        requestBody: z.optional(body),
        responses: z.record(z.string(), body),
      }),
    ),
  ),
  components: z.object({
    parameters: z.record(z.string(), parameter),
    schemas: z.record(z.string(), schema),
  }),
})

/** A parameter, or a field of a request or response body. */
export interface Field {
  name: string
  type: string
  /** True if the caller must send this field. */
  needed: boolean
  text: string
  parts: Field[]
}

export interface Call {
  method: string
  path: string
  summary: string
  text: string
  sent: Field[]
  answer: Field[]
}

/** The API description that the build writes for programs (openapi.json), in English. */
export const callsQuery = query({
  key: ['calls'],
  load: async (signal) => {
    const response = await fetch(new URL('/openapi.json', window.location.origin), { signal })
    return readable(document.parse(await response.json()))
  },
})

function readable({ info, tags, paths, components }: z.infer<typeof document>) {
  const resolve = (one: Schema | undefined): Schema | undefined =>
    one?.$ref ? components.schemas[one.$ref.split('/').at(-1) ?? ''] : one
  const fieldOf = (name: string, given: Schema, needed: boolean): Field => {
    const one = resolve(given) ?? {}
    return { name, type: typeOf(one), needed, text: one.description ?? '', parts: partsOf(one, false) }
  }
  const partsOf = (given: Schema | undefined, isSent: boolean): Field[] => {
    const one = resolve(given)
    if (one?.items) return partsOf(one.items, isSent)
    return Object.entries(one?.properties ?? {}).map(([name, part]) =>
      fieldOf(name, part, isSent && (one?.required ?? []).includes(name)),
    )
  }
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { tags: scopes, summary, description, parameters, requestBody, responses }]) => {
        const own = parameters.flatMap((one) =>
          'name' in one
            ? [{ ...fieldOf(one.name, one.schema, one.required === true), text: one.description }]
            : [],
        )
        const answer = (responses['200'] ?? responses['201'])?.content?.['application/json'].schema
        return {
          scope: scopes[0],
          ...{ method: method.toUpperCase(), path, summary, text: description },
          sent: [...own, ...partsOf(requestBody?.content?.['application/json'].schema, true)],
          answer:
            answer && partsOf(answer, false).length === 0
              ? [fieldOf('', answer, false)]
              : partsOf(answer, false),
        }
      },
    ),
  )
  return {
    version: info.version,
    /** Parameters shared by all tables. `by_status` serves as the example of a filter by column. */
    common: ['by_status', 'or', 'order', 'limit', 'offset', 'select', 'count', 'return'].flatMap((key) => {
      const one = components.parameters[key]
      return one ? [{ ...fieldOf(one.name, one.schema, false), text: one.description }] : []
    }),
    scopes: tags.map(({ name, description }) => ({
      ...{ name, text: description },
      calls: calls.filter(({ scope }) => scope === name),
    })),
  }
}

/** A schema's type as text, such as `uuid | null` or `"due" | "paid"`. */
function typeOf({ type = 'any', format, enum: values, items }: Schema): string {
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ')
  return [type]
    .flat()
    .map((one) =>
      one === 'array' ? `${items ? typeOf(items) : 'any'}[]` : one === 'string' ? (format ?? one) : one,
    )
    .join(' | ')
}
