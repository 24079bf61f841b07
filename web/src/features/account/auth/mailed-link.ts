import { postLoginTarget } from '#domain/post-login-target.ts'

/** The auth service's code for a link or a code that was used, replaced or is too old. */
export const LINK_OVER = 'otp_expired'

/** What the link of a mail carries behind the # of its address (supabase/generate/render-auth-mails.ts). */
export interface MailedLink {
  tokenHash: string
  /** What is verified, as the auth service calls it. */
  type: string
  /** Whom the mail was for. */
  email: string
  /** The page it leads to. */
  target: string
}

const LINK = /^token_hash=(\w+)&type=(\w+)&email=([^&]*)&to=(.*)$/s

export function readMailedLink(fragment: string, origin: string): MailedLink | null {
  const [, tokenHash, type, email, to = ''] = LINK.exec(fragment) ?? []
  if (!tokenHash || !type) return null
  // What it has encoded itself must stay so.
  const address = /^https?:\/\//.test(to) ? to : decoded(to)
  return { tokenHash, type, email: decoded(email), target: targetOf(address, origin) }
}

/** Supabase encodes what it fills into the button's address, not into the text beside it. */
function decoded(text = ''): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The page on this site that the mail was asked for with: /auth-redirect names where the person was going. */
function targetOf(address: string, origin: string): string {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url?.origin !== origin) return '/'
  return url.pathname === '/auth-redirect'
    ? postLoginTarget(url.searchParams.get('next'), origin)
    : postLoginTarget(url.pathname + url.search, origin)
}
