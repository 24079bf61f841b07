// Creates invoices and yearly statements as PDF. Each request creates the document from the database's data, so that no
// file is stored. SQL functions are called as the person who asks: people get their own documents, admins everybody's.
import { callDatabase, Refused } from '../_shared/database.ts'
import { serveAnyOrigin } from '../_shared/serve.ts'
import { drawInvoice, type Invoice } from './invoice.ts'
import { drawStatement, type Statement } from './statement.ts'

const HEADERS = { 'Cache-Control': 'no-store' }

/**
 * The functions that create the documents, by the last part of the URL. The database refuses values of another type
 * than its arguments.
 */
const PAPERS: Record<string, (body: Record<string, unknown>, authorization: string) => Promise<Uint8Array>> =
  {
    invoice: async ({ id }, authorization) =>
      drawInvoice((await callDatabase('invoice', { p_id: id as string }, authorization)) as Invoice),
    statement: async ({ year, language }, authorization) => {
      const statement = await callDatabase('yearly_statement', { p_year: year as number }, authorization)
      return drawStatement(statement as Statement, language)
    },
  }

serveAnyOrigin(async (request) => {
  const name = new URL(request.url).pathname.split('/').at(-1) ?? ''
  const draw = Object.hasOwn(PAPERS, name) && PAPERS[name]
  if (!draw) return failure(404, 'PT404', 'There is nothing here')
  if (request.method !== 'POST') return failure(405, 'PT405', 'Call it with POST')
  const body = (await request.json().catch(() => null)) as Record<string, unknown> | null
  try {
    const paper = await draw(body ?? {}, request.headers.get('Authorization') ?? '')
    return new Response(paper as Uint8Array<ArrayBuffer>, {
      headers: { ...HEADERS, 'Content-Type': 'application/pdf' },
    })
  } catch (error) {
    if (error instanceof Refused) return error.answer(HEADERS)
    throw error
  }
})

const failure = (status: number, code: string, message: string) =>
  Response.json({ code, message, details: null, hint: null }, { status, headers: HEADERS })
