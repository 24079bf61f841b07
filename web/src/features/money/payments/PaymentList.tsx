import { Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { fullDay } from '#domain/dates.ts'
import { DataTable } from '#ui/DataTable.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { MoreRows } from '#ui/LoadMore.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { paymentColumns } from './payment-columns.tsx'
import { paymentTexts } from './payments.messages.ts'
import { paymentsQuery, type Whose } from './payments.queries.ts'

interface PaymentListProps {
  whose: Whose
  label: string
  /** Shown when there is no payment. */
  empty: ReactNode
}

/** What a person has paid and has to pay, or is paid by members. */
export function PaymentList({ whose, label, empty }: PaymentListProps) {
  const list = useInfiniteQuery(paymentsQuery(whose))
  const isOwner = 'owner_id' in whose
  return (
    <Loaded of={list} pending={<RowsSkeleton rows={4} />} failed={paymentTexts.failed} empty={empty}>
      {(payments) => (
        <Stack gap="lg">
          <DataTable
            label={label}
            columns={paymentColumns(isOwner)}
            rows={payments}
            rowKey={({ id }) => id}
            rowProps={({ planName, memberName, dueAt }) => ({
              'aria-label': `${isOwner ? memberName : planName}, due ${fullDay(dueAt)}`,
            })}
          />
          <MoreRows list={list} failed={paymentTexts.failed}>
            Load earlier payments
          </MoreRows>
        </Stack>
      )}
    </Loaded>
  )
}
