// POST /invite and /admin/generate_link: holders of the service key invite a person by mail, or get a link and deliver
// it themselves.
import type { Handler } from 'hono'
import { z } from 'zod'
import type { Transaction } from '#db/database.ts'
import { issueToken, type MailedToken } from '#identity/one-time-tokens.ts'
import { hashPassword } from '#identity/passwords.ts'
import { mergeMetadata, setPassword } from '#identity/user-changes.ts'
import { findUserByEmail, reloadUser, type User } from '#identity/users.ts'
import { metadata, readBody, readEmail, requireGoodPassword, text } from './body.ts'
import { awaitEmailChange, signUpUser } from './confirmation.ts'
import { AuthError, emailExists, invalid } from './errors.ts'
import { issueOwn, linkOf, mailToken } from './letters.ts'
import type { AuthParts } from './parts.ts'
import { createRedirects } from './redirects.ts'
import { writeUser } from './user-answer.ts'

const inviteBody = z.object({ email: text, data: metadata })
const linkBody = z.object({ type: text, email: text, new_email: text, password: text, data: metadata })

export function invite(parts: AuthParts): Handler {
  const redirectFor = createRedirects(parts.settings)
  return async (context) => {
    const given = await readBody(context, inviteBody)
    const email = readEmail(given.email)
    const redirectTo = redirectFor(context)
    const user = await parts.db.transaction(async (tx) => {
      const { account, isNew } = await findOrCreate(tx, {
        email,
        userMetadata: given.data,
        passwordHash: null,
      })
      await mailToken(parts, tx, account, { type: 'invite', redirectTo, dropsPassword: !isNew })
      return reloadUser(tx, account.id)
    })
    return context.json(writeUser(user))
  }
}

interface LinkWish {
  email: string
  newEmail: string
  data: Record<string, unknown>
  passwordHash: string | null
}

interface MadeLink {
  account: User
  /** The kind of link. A magic link becomes a sign-up link if there is no account. */
  type: string
  mailed: MailedToken
}

type Maker = (parts: AuthParts, tx: Transaction, wish: LinkWish) => Promise<MadeLink>

const MAKERS: Record<string, Maker> = {
  signup: async (parts, tx, wish) => {
    if (wish.passwordHash === null && !(await findUserByEmail(tx, wish.email)))
      throw invalid('Signup requires a valid password')
    return linkToJoin(parts, tx, wish, 'signup')
  },
  invite: (parts, tx, wish) => linkToJoin(parts, tx, { ...wish, passwordHash: null }, 'invite'),
  magiclink: async (parts, tx, wish) => {
    const account = await findUserByEmail(tx, wish.email)
    if (!account) return linkToJoin(parts, tx, { ...wish, passwordHash: null }, 'signup')
    // If the address is not proven yet, a stranger may have set the password, so using the link removes it.
    const dropsPassword = account.email_confirmed_at === null
    return {
      ...{ account, type: 'magiclink' },
      mailed: await issueOwn(parts, tx, account, { type: 'magiclink', dropsPassword }),
    }
  },
  recovery: async (parts, tx, { email }) => {
    const account = await requireAccountOf(tx, email)
    const mailed = await issueOwn(parts, tx, account, { type: 'recovery' })
    return { account, type: 'recovery', mailed }
  },
  email_change_current: (parts, tx, wish) => linkToMove(parts, tx, wish, 'email_change_current'),
  email_change_new: (parts, tx, wish) => linkToMove(parts, tx, wish, 'email_change_new'),
}

export function generateLink(parts: AuthParts): Handler {
  const { db, settings } = parts
  const redirectFor = createRedirects(settings)
  return async (context) => {
    const given = await readBody(context, linkBody)
    const email = readEmail(given.email)
    const make = Object.hasOwn(MAKERS, given.type) ? MAKERS[given.type] : undefined
    if (!make) throw invalid(`Invalid email action link type requested: ${given.type}`)
    if (given.password !== '') requireGoodPassword(given.password, settings.passwordRules)
    const passwordHash = given.password === '' ? null : await hashPassword(given.password)
    const newEmail = given.type.startsWith('email_change') ? readEmail(given.new_email) : ''
    const redirectTo = redirectFor(context)
    const answer = await db.transaction(async (tx) => {
      const wish = { email, newEmail, data: given.data, passwordHash }
      const { account, type, mailed } = await make(parts, tx, wish)
      return {
        ...writeUser(await reloadUser(tx, account.id)),
        action_link: linkOf(settings, { mailed, redirectTo, type: type.replace(/_(current|new)$/, '') }),
        email_otp: mailed.code,
        hashed_token: mailed.token,
        ...{ verification_type: type, redirect_to: redirectTo },
      }
    })
    return context.json(answer)
  }
}

async function linkToJoin(
  parts: AuthParts,
  tx: Transaction,
  { email, data, passwordHash }: LinkWish,
  type: 'signup' | 'invite',
): Promise<MadeLink> {
  const { account, isNew } = await findOrCreate(tx, { email, userMetadata: data, passwordHash })
  if (!isNew) {
    await mergeMetadata(tx, account.id, 'user', data)
    if (passwordHash !== null) await setPassword(tx, account.id, passwordHash)
  }
  // A stranger may have set the account's password before the address was proven, so using the link removes it.
  const dropsPassword = !isNew && passwordHash === null
  return { account, type, mailed: await issueOwn(parts, tx, account, { type, dropsPassword }) }
}

/**
 * Creates the link with which one address confirms a change of address. If both addresses must confirm, this also
 * issues the other address's token unless one exists, and the change waits for both.
 */
async function linkToMove(
  parts: AuthParts,
  tx: Transaction,
  { email, newEmail }: LinkWish,
  kind: 'email_change_current' | 'email_change_new',
): Promise<MadeLink> {
  const { settings, tokens } = parts
  if (kind === 'email_change_current' && !settings.doubleConfirmChanges)
    throw invalid('Enable secure email change to generate link for current email')
  const account = await requireAccountOf(tx, email)
  if (await findUserByEmail(tx, newEmail)) throw emailExists()
  const boxes = await awaitEmailChange(parts, tx, account, newEmail, account.email_change === newEmail)
  const waiting = await tx.query<{ kind: string }>(
    'select kind from auth.one_time_tokens where user_id = $1',
    [account.id],
  )
  let mailed: MailedToken | undefined
  for (const box of boxes) {
    if (box.kind !== kind && waiting.some((one) => one.kind === box.kind)) continue
    const issued = await issueToken(tx, tokens, {
      ...{ userId: account.id, kind: box.kind, email: box.to, codeLength: settings.otpLength },
    })
    if (box.kind === kind) mailed = issued
  }
  if (!mailed) throw invalid('There is no current address to confirm the change')
  return { account, type: kind, mailed }
}

/** Finds the account with this address, or creates it. Throws 422 email_exists if the address is already confirmed. */
async function findOrCreate(
  tx: Transaction,
  person: { email: string; userMetadata: Record<string, unknown>; passwordHash: string | null },
): Promise<{ account: User; isNew: boolean }> {
  const created = await signUpUser(tx, { ...person, byAdmin: true })
  const account = created ?? (await findUserByEmail(tx, person.email))
  if (!account || account.email_confirmed_at !== null) throw emailExists()
  return { account, isNew: created !== undefined }
}

async function requireAccountOf(tx: Transaction, email: string): Promise<User> {
  const account = await findUserByEmail(tx, email)
  if (!account) throw new AuthError(404, 'user_not_found', 'User with this email not found')
  return account
}
