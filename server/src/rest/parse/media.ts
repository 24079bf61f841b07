// What form of answer the client accepts.
import { RestError } from '../errors.ts'

export interface Media {
  /** Exactly one row, as an object. */
  singular: boolean
  stripNulls: boolean
  contentType: string
}

const JSON_ARRAY: Media = {
  singular: false,
  stripNulls: false,
  contentType: 'application/json; charset=utf-8',
}

/** The first acceptable type of an Accept header; PGRST107 when there is none. */
export function parseAccept(header: string): Media {
  if (header === '') return JSON_ARRAY
  for (const range of header.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const stripNulls = parameters.includes('nulls=stripped')
    if (type === '*/*' || type === 'application/*' || type === 'application/json') return JSON_ARRAY
    const vendor = /^application\/vnd\.pgrst\.(object|array)(?:\+json)?$/.exec(type)?.[1]
    if (vendor !== undefined) {
      const suffix = stripNulls ? ';nulls=stripped' : ''
      return {
        singular: vendor === 'object',
        stripNulls,
        contentType: `application/vnd.pgrst.${vendor}+json${suffix}; charset=utf-8`,
      }
    }
  }
  throw new RestError('PGRST107', `None of these media types are available: ${header}`)
}
