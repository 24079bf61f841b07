// Describes the site as a WebAuthn relying party, from [auth.passkey] and [auth.webauthn] of config.toml or from its
// URL.
import { isIP } from 'node:net'
import { z } from 'zod'

export interface RelyingParty {
  /** The site's name, shown when a passkey is created. */
  name: string
  /** The domain that passkeys are bound to; they do not work on another domain, nor after this one changes. */
  id: string
  origins: readonly string[]
}

export const passkeySection = z.object({ enabled: z.boolean().default(false) }).prefault({})

// A text setting; a reference `env(NAME)` to a variable that is not set counts as empty.
const said = z
  .string()
  .default('')
  .transform((value) => (/^env\(.*\)$/.test(value) ? '' : value))
export const webauthnSection = z
  .object({ rp_display_name: said, rp_id: said, rp_origins: z.array(said).default([]) })
  .prefault({})

/** Returns null if browsers do not allow passkeys at the site's URL. Throws if the section contradicts itself. */
export function readRelyingParty(
  section: z.infer<typeof webauthnSection>,
  siteUrl: string,
): RelyingParty | null {
  const origins = section.rp_origins.filter((origin) => origin !== '')
  const id = section.rp_id
  if (id === '' && origins.length === 0) return ofSite(section.rp_display_name, siteUrl)
  if (!isDomain(id)) throw new Error(`[auth.webauthn] rp_id: "${id}" is no domain.`)
  const isOwn = (origin: string) =>
    URL.canParse(origin) &&
    new URL(origin).origin === origin &&
    `.${new URL(origin).hostname}`.endsWith(`.${id}`)
  const strange = origins.find((origin) => !isOwn(origin))
  if (strange !== undefined || origins.length === 0)
    throw new Error(
      `[auth.webauthn] rp_origins: "${strange ?? ''}" is no origin of ${id}, such as https://${id}.`,
    )
  return { name: section.rp_display_name || id, id, origins }
}

function ofSite(name: string, siteUrl: string): RelyingParty | null {
  const { hostname: id, origin, protocol } = new URL(siteUrl)
  const isLocal = `.${id}`.endsWith('.localhost')
  return isDomain(id) && (isLocal || protocol === 'https:')
    ? { name: name || id, id, origins: [origin] }
    : null
}

const isDomain = (name: string) => /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(name) && isIP(name) === 0
