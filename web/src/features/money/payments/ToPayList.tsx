import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { Payment } from '#domain/payments.ts'
import { DataTable } from '#ui/DataTable.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { useNow } from '#ui/use-now.ts'
import { paymentAction } from './PaymentAction.tsx'
import { paymentColumns } from './payment-columns.tsx'
import { ownOpenPaymentsQuery } from './payments.queries.ts'
import { useQueuedClaims } from './queued-claims.ts'

/** The payments that a member can make now. */
export function usePayable(userId: string): Payment[] {
  const { data: open = [] } = useQuery(ownOpenPaymentsQuery(userId))
  const now = useNow()
  return open.filter((payment) => paymentAction(payment, false, now))
}

/** The payments that a member can make now, as in the list of their payments; renders nothing if there are none. */
export function ToPayList({ userId }: { userId: string }) {
  const rows = usePayable(userId)
  const now = useNow()
  const said = useQueuedClaims()
  if (rows.length === 0) return null
  return (
    <SurfaceCard px={{ base: 'sm', sm: 'lg' }} py="xs">
      <DataTable
        short
        lines
        label={t`To pay now`}
        columns={paymentColumns({ isOwner: false, onePlan: false, now, said, main: rows[0]?.id })}
        rows={rows}
        rowKey={({ id }) => id}
      />
    </SurfaceCard>
  )
}
