import { t } from '@lingui/core/macro'
import { Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { fullDay } from '#domain/dates.ts'
import { DataTable } from '#ui/DataTable.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { MoreRows } from '#ui/LoadMore.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { useNow } from '#ui/use-now.ts'
import { PaymentTotals } from './PaymentTotals.tsx'
import { paymentColumns } from './payment-columns.tsx'
import { paymentTexts } from './payments.messages.ts'
import { paymentsQuery, type Whose } from './payments.queries.ts'
import { useQueuedClaims } from './queued-claims.ts'

interface PaymentListProps {
  whose: Whose
  label: string
  /** Shown when there is no payment. */
  empty: ReactNode
}

/** The payments that a member makes or an owner receives: the totals, then each payment. */
export function PaymentList({ whose, label, empty }: PaymentListProps) {
  const list = useInfiniteQuery(paymentsQuery(whose))
  const isOwner = 'owner_id' in whose
  const now = useNow()
  const said = useQueuedClaims()
  return (
    <Loaded of={list} pending={<RowsSkeleton rows={4} />} failed={paymentTexts.failed} empty={empty}>
      {(payments) => (
        <Stack gap="lg">
          <PaymentTotals whose={whose} />
          <SurfaceCard p={{ base: 'sm', sm: 'lg' }}>
            <DataTable
              short
              label={label}
              columns={paymentColumns({ isOwner, onePlan: 'subscription_id' in whose, now, said })}
              rows={payments}
              rowKey={({ id }) => id}
              rowProps={({ planName, memberName, dueAt }) => ({
                'aria-label': t`${{ name: isOwner ? memberName : planName }}, due ${{ day: fullDay(dueAt) }}`,
              })}
            />
          </SurfaceCard>
          <MoreRows list={list} failed={paymentTexts.failed}>
            {t`Load earlier payments`}
          </MoreRows>
        </Stack>
      )}
    </Loaded>
  )
}
