import { t } from '@lingui/core/macro'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { TransferFilters } from '#features/staff/transfers/TransferFilters.tsx'
import { TransferList } from '#features/staff/transfers/TransferList.tsx'
import {
  allTransfers,
  type TransferFilter,
  transfersQuery,
} from '#features/staff/transfers/transfers.queries.ts'
import { toTransfersCsv } from '#features/staff/transfers/transfers-csv.ts'
import { useChange } from '#lib/change.ts'
import { answerOf } from '#lib/errors.ts'
import { saveFile } from '#lib/save-file.ts'
import { given, keptRows } from '#lib/search.ts'
import { sortParam, toSorting } from '#lib/sorting.ts'
import { PageTitle } from '#ui/PageTitle.tsx'
import { toastError } from '#ui/toasts.ts'

const day = given(z.string().check(z.regex(/^20\d\d-\d\d-\d\d$/)))
const searchSchema = z.object({
  person: given(z.guid()),
  plan: given(z.string()),
  kind: given(z.string()),
  from: day,
  until: day,
  rows: keptRows,
  sort: sortParam('created_at', 'kind', 'amount', 'from_kind', 'person_name', 'plan_name'),
})

export const Route = createFileRoute('/_shell/_signed-in/_staff/admin/transfers')({
  validateSearch: searchSchema,
  component: Transfers,
})

/** All transfers of money with their cause. */
function Transfers() {
  const { sort, ...narrowed } = Route.useSearch()
  const filter = { ...narrowed, sorting: toSorting(sort) }
  const navigate = Route.useNavigate()
  const transfers = useInfiniteQuery(transfersQuery(filter))
  const narrow = (change: TransferFilter) =>
    void navigate({ search: (now) => ({ ...now, ...change, rows: undefined }), resetScroll: false })
  const save = useChange({
    run: () => allTransfers(narrowed),
    done: (all) => saveFile('potluck-transfers.csv', 'text/csv', toTransfersCsv(all)),
    failed: (problem) => toastError(t`Error`, answerOf(problem, t`Failed to load the transfers`)),
  })
  return (
    <>
      <PageTitle
        title={t`Transfers`}
        actions={
          <Button
            variant="default"
            leftSection={<IconDownload size={18} aria-hidden />}
            loading={save.isPending}
            onClick={() => save.mutate()}
          >
            {t`Save all as CSV`}
          </Button>
        }
      >
        {t`Every movement of money in the ledger`}
      </PageTitle>
      <TransferFilters
        filter={filter}
        planName={transfers.data?.[0]?.planName ?? undefined}
        onChange={narrow}
      />
      <TransferList transfers={transfers} onChoose={narrow} />
    </>
  )
}
