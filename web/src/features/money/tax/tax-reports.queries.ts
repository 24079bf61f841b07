import { t } from '@lingui/core/macro'
import * as z from 'zod/mini'
import { useChange } from '#lib/change.ts'
import { answerOf } from '#lib/errors.ts'
import { withProof } from '#lib/proof.ts'
import { query } from '#lib/query.ts'
import { saveFile } from '#lib/save-file.ts'
import { rpc } from '#lib/supabase.ts'
import { callVault } from '#lib/vault.ts'
import { toastError } from '#ui/toasts.ts'

const key = ['tax-reports']

const stateSchema = z.object({
  is_on: z.boolean(),
  first_year: z.number(),
  this_year: z.number(),
  /** True if all operator details for a report are set. */
  complete: z.boolean(),
})
export type TaxReportState = z.infer<typeof stateSchema>
export const taxReportStateQuery = query({
  key: [...key, 'state'],
  staleTime: 0,
  load: async (signal) => stateSchema.parse(await rpc('tax_report_state', {}, signal)),
})

const quarters = z.array(z.number())
const sellerSchema = z.object({
  user_id: z.string(),
  name: z.nullable(z.string()),
  is_closed: z.boolean(),
  figures: z.object({ consideration: quarters, fees: quarters, activities: quarters }),
  consideration: z.number(),
  activities: z.number(),
  state: z.enum(['ready', 'missing', 'abroad', 'excluded']),
  /** The time the owner was asked for tax details, as an ISO timestamp; null if never. */
  asked_at: z.nullable(z.string()),
  asked_times: z.nullable(z.number()),
  /** How the owner appears in the next report; null if nothing has changed. */
  change: z.nullable(z.enum(['new', 'corrected', 'deleted'])),
})
export type Seller = z.infer<typeof sellerSchema>
export const sellersQuery = (year: number) =>
  query({
    key: [...key, 'sellers', year],
    staleTime: 0,
    load: async (signal) =>
      z.array(sellerSchema).parse(await rpc('list_tax_sellers', { p_year: year }, signal)),
  })

const reportSchema = z.object({
  id: z.number(),
  year: z.number(),
  kind: z.enum(['new', 'correction', 'nothing']),
  reference: z.string(),
  sellers: z.number(),
  made_at: z.string(),
  created_by_name: z.nullable(z.string()),
  voided_at: z.nullable(z.string()),
  void_reason: z.nullable(z.string()),
  may_void: z.boolean(),
})
export type TaxReport = z.infer<typeof reportSchema>
export const taxReportsQuery = query({
  key: [...key, 'list'],
  staleTime: 0,
  load: async (signal) => z.array(reportSchema).parse(await rpc('list_tax_reports', {}, signal)),
})

const failed = (problem: unknown) => toastError(t`Error`, answerOf(problem, t`Please try again.`))

async function download(id: number): Promise<void> {
  const written = z.object({ name: z.string(), xml: z.string() })
  const { name, xml } = written.parse(await withProof(() => callVault('tax-report', { report: id })))
  saveFile(name, 'application/xml', xml)
}

/** Creates the next report of a year and downloads it. If the download fails, the report is still in the list. */
export const useMakeTaxReport = (year: number) =>
  useChange({
    run: async (kind: TaxReport['kind']) =>
      download(await rpc('make_tax_report', { p_year: year, p_kind: kind })),
    stale: [key],
    failed,
  })

export const useDownloadTaxReport = () => useChange({ run: download, failed })

export const useVoidTaxReport = (onDone: () => void) =>
  useChange({
    run: ({ id, reason }: { id: number; reason: string }) =>
      rpc('void_tax_report', { p_id: id, p_reason: reason }),
    stale: [key],
    done: onDone,
    failed,
  })
