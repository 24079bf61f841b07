/** Does the address carry tokens, or a refusal to give them? Only the client can make sense of those. */
export function isArriving({ hash, search }: Pick<Location, 'hash' | 'search'>): boolean {
  return [hash.slice(1), search].some((text) => {
    const fields = new URLSearchParams(text)
    return fields.has('access_token') || isRefusal(fields)
  })
}

/** Says a provider or the service in this part of an address that there will be no session? */
export const isRefusal = (fields: URLSearchParams) => fields.has('error') || fields.has('error_code')
