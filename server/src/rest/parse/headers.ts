// Parses the requested response format: `Accept`, and `Prefer: return=representation, count=exact`, where the first
// preference of each kind counts.
import { RestError } from '../errors.ts'

export interface Preferences {
  return: 'minimal' | 'headers-only' | 'representation' | undefined
  count: 'exact' | 'planned' | 'estimated' | undefined
  resolution: 'merge-duplicates' | 'ignore-duplicates' | undefined
  missing: 'default' | 'null' | undefined
  handling: 'strict' | 'lenient' | undefined
  maxAffected: number | undefined
}

// The known preferences, in the order in which PostgREST lists applied ones.
const KNOWN: ReadonlyMap<string, readonly string[]> = new Map([
  ['resolution', ['merge-duplicates', 'ignore-duplicates']],
  ['missing', ['default', 'null']],
  ['return', ['minimal', 'headers-only', 'representation']],
  ['count', ['exact', 'planned', 'estimated']],
  ['handling', ['strict', 'lenient']],
])

/** Parses `Prefer`. Unknown preferences are ignored, or refused with PGRST122 under strict handling. */
export function parsePrefer(header: string): Preferences {
  const found = new Map<string, string>()
  const unknown: string[] = []
  for (const item of header.split(',')) {
    const preference = item.trim()
    if (preference === '') continue
    const [key = '', value = ''] = preference.split('=', 2).map((part) => part.trim())
    const valid = key === 'max-affected' ? /^\d{1,9}$/.test(value) : KNOWN.get(key)?.includes(value)
    if (!valid) unknown.push(preference)
    else if (!found.has(key)) found.set(key, value)
  }
  if (found.get('handling') === 'strict' && unknown.length > 0) {
    throw new RestError('PGRST122', 'Invalid preferences given with handling=strict', {
      details: `Invalid preferences: ${unknown.join(', ')}`,
    })
  }
  const most = found.get('max-affected')
  return {
    return: found.get('return') as Preferences['return'],
    count: found.get('count') as Preferences['count'],
    resolution: found.get('resolution') as Preferences['resolution'],
    missing: found.get('missing') as Preferences['missing'],
    handling: found.get('handling') as Preferences['handling'],
    maxAffected: most === undefined ? undefined : Number(most),
  }
}

/** Returns the value of `Preference-Applied`: the preferences that had an effect, or '' if none had. */
export function appliedPreferences(prefer: Preferences, mattered: readonly (keyof Preferences)[]): string {
  const applied = [...KNOWN.keys()].flatMap((key) => {
    const name = key as keyof Preferences
    return prefer[name] !== undefined && mattered.includes(name) ? [`${key}=${prefer[name]}`] : []
  })
  if (prefer.maxAffected !== undefined && prefer.handling === 'strict' && mattered.includes('maxAffected')) {
    applied.push(`max-affected=${prefer.maxAffected}`)
  }
  return applied.join(', ')
}

export interface Media {
  /** True if the response is exactly one row, as an object. */
  singular: boolean
  stripNulls: boolean
  contentType: string
}

const JSON_ARRAY: Media = {
  singular: false,
  stripNulls: false,
  contentType: 'application/json; charset=utf-8',
}

/** Returns the first supported type of an Accept header. Throws PGRST107 if there is none. */
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
