// GET /admin/users: the accounts in pages, newest first unless asked otherwise.
import type { Context, Handler } from 'hono'
import { ACCOUNT, type User } from '#identity/users.ts'
import { invalid } from './errors.ts'
import type { AuthParts } from './parts.ts'
import { writeUser } from './user-answer.ts'

const DEFAULT_PAGE_SIZE = 50
const LARGEST_PAGE = 1000

const MATCHING = `u.deleted_at is null and (
  $1 = '' or strpos(lower(u.email), lower($1)) > 0 or strpos(lower(u.raw_user_meta_data ->> 'full_name'), lower($1)) > 0)`

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
