// /admin/users: lists, creates, changes and deletes accounts, for holders of the service key.
import type { Context, Handler } from 'hono'
import { z } from 'zod'
import { removeFactor } from '#identity/factors.ts'
import { hashPassword } from '#identity/passwords.ts'
import {
  banUser,
  confirmEmail,
  deleteUser,
  mergeMetadata,
  replaceEmail,
  setPassword,
  softDeleteUser,
} from '#identity/user-changes.ts'
import { ACCOUNT, findUserByEmail, findUserById, reloadUser, type User } from '#identity/users.ts'
import { parseDuration } from './auth-settings.ts'
import {
  flag,
  metadata,
  readBody,
  readEmail,
  requireGoodPassword,
  requireStorablePassword,
  text,
} from './body.ts'
import { signUpUser } from './confirmation.ts'
import { AuthError, emailExists, invalid, phoneDisabled } from './errors.ts'
import { isUuid } from './gateway.ts'
import type { AuthParts } from './parts.ts'
import { writeFactor, writeUser } from './user-answer.ts'

const createBody = z.object({
  id: text,
  email: text,
  phone: text,
  password: text,
  role: text,
  email_confirm: flag(false),
  user_metadata: metadata,
  app_metadata: metadata,
  ban_duration: text,
})
const updateBody = createBody.omit({ id: true })
const deleteBody = z.object({ should_soft_delete: flag(false) })

export function createUserAsAdmin({ db }: AuthParts): Handler {
  return async (context) => {
    const given = await readBody(context, createBody)
    if (given.phone !== '') throw phoneDisabled('Unsupported phone provider')
    if (given.email === '') throw invalid('Cannot create a user without either an email or phone')
    const email = readEmail(given.email)
    if (given.id !== '' && !isUuid(given.id)) throw invalid('ID must conform to the uuid v4 format')
    requireStorablePassword(given.password)
    const banSeconds = readBan(given.ban_duration)
    const person = {
      ...(given.id !== '' && { id: given.id }),
      ...(given.role !== '' && { role: given.role }),
      email,
      passwordHash: given.password === '' ? null : await hashPassword(given.password),
      userMetadata: given.user_metadata,
      byAdmin: true,
      appMetadata: given.app_metadata,
      confirmed: given.email_confirm,
    }
    const user = await db.transaction(async (tx) => {
      if (given.id !== '' && (await findUserById(tx, given.id))) {
        throw new AuthError(422, 'user_already_exists', 'User already registered')
      }
      const created = await signUpUser(tx, person)
      if (!created) throw emailExists()
      if (banSeconds !== null) await banUser(tx, created.id, banSeconds)
      return reloadUser(tx, created.id)
    })
    return context.json(writeUser(user))
  }
}

export function getUserAsAdmin({ db }: AuthParts): Handler {
  return async (context) => context.json(writeUser(await requireAccount(db, context.req.param('id'))))
}

export function updateUserAsAdmin({ db, settings }: AuthParts): Handler {
  return async (context) => {
    const { id } = await requireAccount(db, context.req.param('id'))
    const given = await readBody(context, updateBody)
    if (given.phone !== '') throw phoneDisabled('Unsupported phone provider')
    const email = given.email === '' ? null : readEmail(given.email)
    if (given.password !== '') requireGoodPassword(given.password, settings.passwordRules)
    const banSeconds = readBan(given.ban_duration)
    const passwordHash = given.password === '' ? null : await hashPassword(given.password)
    const user = await db.transaction(async (tx) => {
      if (email !== null) {
        const holder = await findUserByEmail(tx, email)
        if (holder && holder.id !== id) throw emailExists()
        if (!holder) await replaceEmail(tx, id, email)
      }
      if (given.role !== '') await tx.query('update auth.users set role = $2 where id = $1', [id, given.role])
      if (given.email_confirm) await confirmEmail(tx, id)
      if (passwordHash !== null) await setPassword(tx, id, passwordHash)
      await mergeMetadata(tx, id, 'app', given.app_metadata)
      await mergeMetadata(tx, id, 'user', given.user_metadata)
      if (banSeconds !== null) await banUser(tx, id, banSeconds)
      return reloadUser(tx, id)
    })
    return context.json(writeUser(user))
  }
}

export function deleteUserAsAdmin({ db }: AuthParts): Handler {
  return async (context) => {
    const { id } = await requireAccount(db, context.req.param('id'))
    const given = (await context.req.raw.clone().text()) === '' ? null : await readBody(context, deleteBody)
    await db.transaction((tx) => (given?.should_soft_delete ? softDeleteUser(tx, id) : deleteUser(tx, id)))
    return context.json({})
  }
}

export function listFactorsAsAdmin({ db }: AuthParts): Handler {
  return async (context) => {
    const { factors } = await requireAccount(db, context.req.param('id'))
    return context.json(factors.map(writeFactor))
  }
}

export function deleteFactorAsAdmin({ db }: AuthParts): Handler {
  return async (context) => {
    const { factors } = await requireAccount(db, context.req.param('id'))
    const factor = factors.find(({ id }) => id === context.req.param('factor'))
    if (!factor) throw new AuthError(404, 'mfa_factor_not_found', 'Factor not found')
    await db.transaction((tx) => removeFactor(tx, factor))
    return context.json(writeFactor(factor))
  }
}

export async function requireAccount(db: AuthParts['db'], id = ''): Promise<User> {
  if (!isUuid(id)) throw new AuthError(404, 'validation_failed', 'user_id must be an UUID')
  const user = await findUserById(db, id)
  if (!user) throw new AuthError(404, 'user_not_found', 'User not found')
  return user
}

/** Parses the duration of a ban into seconds from now: 0 for "none", which lifts the ban, or null for no change. */
function readBan(duration: string): number | null {
  if (duration === '') return null
  if (duration === 'none') return 0
  const seconds = parseDuration(duration)
  if (seconds === null) throw invalid(`invalid format for ban duration: "${duration}"`)
  return seconds
}

const DEFAULT_PAGE_SIZE = 50
const LARGEST_PAGE = 1000

const MATCHING = `u.deleted_at is null and (
  $1 = '' or strpos(lower(u.email), lower($1)) > 0 or strpos(lower(u.raw_user_meta_data ->> 'full_name'), lower($1)) > 0)`

/** GET /admin/users: returns one page of accounts, newest first unless the request says otherwise. */
export function listUsers({ db }: AuthParts): Handler {
  return async (context) => {
    const page = readNumber(context, 'page', 1)
    const perPage = Math.min(readNumber(context, 'per_page', DEFAULT_PAGE_SIZE), LARGEST_PAGE)
    const direction = readDirection(context.req.query('sort') ?? '')
    const filter = context.req.query('filter') ?? ''
    const users = await db.query<{ account: User }>(
      `select ${ACCOUNT} from auth.users u where ${MATCHING}
       order by u.created_at ${direction}, u.id limit $2::bigint offset $3::bigint`,
      [filter, String(perPage), String((page - 1) * perPage)],
    )
    const [counted] = await db.query<{ total: number }>(
      `select count(*) as total from auth.users u where ${MATCHING}`,
      [filter],
    )
    const total = counted?.total ?? 0
    context.header('X-Total-Count', String(total))
    context.header('Link', writeLinks(page, perPage, total))
    return context.json({
      users: users.map(({ account }) => ({ ...writeUser(account), identities: null })),
      aud: 'authenticated',
    })
  }
}

/** supabase-js reads the first digits after the first `=` as the page, so `page` must be the first key. */
function writeLinks(page: number, perPage: number, total: number): string {
  const pages = Math.ceil(total / perPage)
  const link = (number: number, name: string) =>
    `</admin/users?page=${number}&per_page=${perPage}>; rel="${name}"`
  return [...(page < pages ? [link(page + 1, 'next')] : []), link(pages, 'last')].join(', ')
}

function readNumber(context: Context, name: string, unset: number): number {
  const given = context.req.query(name)
  if (!given) return unset
  if (!/^[1-9]\d{0,8}$/.test(given))
    throw invalid(`Bad Pagination Parameters: ${name} must be a positive number`)
  return Number(given)
}

function readDirection(sort: string): 'asc' | 'desc' {
  if (sort === '') return 'desc'
  const [, direction = 'desc'] = /^created_at(?: (asc|desc))?$/i.exec(sort) ?? [sort, '']
  if (direction === '')
    throw invalid(`Bad Sort Parameters: only "created_at asc" and "created_at desc" are allowed`)
  return direction.toLowerCase() as 'asc' | 'desc'
}
