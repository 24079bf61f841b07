import { t } from '@lingui/core/macro'
import { Anchor, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { fullDate } from '#domain/dates.ts'
import { useNow } from '#ui/use-now.ts'
import { BankAccountDialog } from './BankAccountDialog.tsx'
import { bankAccountQuery } from './wallet.queries.ts'

/** The bank account for withdrawals, with a link to add or change it. */
export function BankAccountLine({ userId }: { userId: string }) {
  const { data: account } = useQuery(bankAccountQuery(userId))
  const [asking, { open, close }] = useDisclosure(false)
  const now = useNow()
  if (account === undefined) return null
  return (
    <>
      <Text size="sm" c="dimmed">
        {!account
          ? t`No bank account yet.`
          : Date.parse(account.payable_from) > now
            ? t`Paid to the account ending in ${account.last4}, from ${fullDate(account.payable_from)}`
            : t`Paid to the account ending in ${account.last4}`}{' '}
        <Anchor component="button" type="button" inherit mih={44} onClick={open}>
          {account ? t`Change` : t`Add a bank account`}
        </Anchor>
      </Text>
      {asking && <BankAccountDialog userId={userId} onClose={close} />}
    </>
  )
}
