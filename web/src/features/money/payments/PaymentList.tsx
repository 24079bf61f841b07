import { Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { MoreRows } from '#ui/LoadMore.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { PaymentRows } from './PaymentRows.tsx'
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
  if (list.isPending) return <RowsSkeleton rows={4} />
  if (!list.data)
    return <LoadAlert title={paymentTexts.failed} problem={list.error} onRetry={() => void list.refetch()} />
  if (list.data.length === 0) return empty
  return (
    <Stack gap="lg">
      <PaymentRows label={label} payments={list.data} side={'member_id' in whose ? 'member' : 'owner'} />
      <MoreRows list={list} failed={paymentTexts.failed}>
        Load earlier payments
      </MoreRows>
    </Stack>
  )
}
