import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { DataTable } from '#ui/DataTable.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { useNow } from '#ui/use-now.ts'
import { paymentAction } from './PaymentAction.tsx'
import { paymentColumns } from './payment-columns.tsx'
import { ownOpenPaymentsQuery } from './payments.queries.ts'
import { useQueuedClaims } from './queued-claims.ts'

/** The payments that a member can make now, as in the list of their payments; renders nothing if there are none. */
export function ToPayList({ userId }: { userId: string }) {
  const { data: open = [] } = useQuery(ownOpenPaymentsQuery(userId))
  const now = useNow()
  const said = useQueuedClaims()
  const rows = open.filter((payment) => paymentAction(payment, false, now))
  if (rows.length === 0) return null
  return (
    <SurfaceCard px={{ base: 'sm', sm: 'lg' }} py="xs">
      <DataTable
        short
        lines
        label={t`To pay now`}
        columns={paymentColumns({ isOwner: false, onePlan: false, now, said })}
        rows={rows}
        rowKey={({ id }) => id}
      />
    </SurfaceCard>
  )
}
