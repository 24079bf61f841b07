import { t } from '@lingui/core/macro'
import { Button, Skeleton, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { wishText } from '@potluck/supabase/wish'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatIban } from '#domain/format-iban.ts'
import { lazyPart } from '#lib/online.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { SettingRow } from '#ui/SettingRow.tsx'
import { paymentTexts } from './payments.messages.ts'
import { useSaveWish, wishQuery } from './wishes.ts'

const WishDialog = lazyPart(async () => (await import('./WishDialog.tsx')).WishDialog)

interface WishesCardProps {
  userId: string
  /** Where other money of theirs goes. */
  children?: ReactNode
}

/** The person's payment details for direct payments, with buttons to change and remove them. */
export function WishesCard({ userId, children }: WishesCardProps) {
  const wishes = useQuery(wishQuery(userId))
  const [asking, { open, close }] = useDisclosure()
  const remove = useSaveWish(userId, close)
  return (
    <SectionCard titleId="wishes-title" title={t`How you are paid`} id="paid">
      <Loaded of={wishes} pending={<Skeleton height={44} />} failed={paymentTexts.wishesFailed}>
        {(wish) => (
          <SettingRow
            title={t`Payment details for members`}
            value={
              wish && (
                <Text style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }} dir="auto">
                  {wishText(wish, formatIban)}
                </Text>
              )
            }
            use={t`Members who pay you directly pay here, and only they see it.`}
          >
            {wish && (
              <Button
                variant="subtle"
                color="beet"
                loading={remove.isPending}
                onClick={() => remove.mutate(null)}
              >
                {t`Remove`}
              </Button>
            )}
            <Button variant="default" onClick={open}>
              {wish ? t`Change` : t`Add payment details`}
            </Button>
          </SettingRow>
        )}
      </Loaded>
      {children}
      <LazyDialog opened={asking}>
        {(opened) => <WishDialog userId={userId} opened={opened} onClose={close} />}
      </LazyDialog>
    </SectionCard>
  )
}
