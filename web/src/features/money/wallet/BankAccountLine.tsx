import { t } from '@lingui/core/macro'
import { Anchor, Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { fullDate } from '#domain/dates.ts'
import { SettingRow } from '#ui/SettingRow.tsx'
import { useNow } from '#ui/use-now.ts'
import { BankAccountDialog } from './BankAccountDialog.tsx'
import { bankAccountQuery } from './wallet.queries.ts'

interface BankAccountLineProps {
  userId: string
  /** True for the settings, where the account has a title and a button. */
  asSetting?: boolean
}

/** The bank account for withdrawals, with a link to add or change it. */
export function BankAccountLine({ userId, asSetting = false }: BankAccountLineProps) {
  const { data: account } = useQuery(bankAccountQuery(userId))
  const [asking, { open, close }] = useDisclosure(false)
  const now = useNow()
  if (account === undefined) return null
  const where = !account
    ? t`No bank account yet.`
    : Date.parse(account.payable_from) > now
      ? t`Paid to the account ending in ${account.last4}, from ${fullDate(account.payable_from)}`
      : t`Paid to the account ending in ${account.last4}`
  const action = account ? t`Change` : t`Add a bank account`
  return (
    <>
      {asSetting ? (
        <SettingRow
          title={t`Bank account for withdrawals`}
          value={account && <Text>{where}</Text>}
          use={t`Coins that you withdraw from your wallet are paid out here.`}
        >
          <Button variant="default" onClick={open}>
            {action}
          </Button>
        </SettingRow>
      ) : (
        <Text size="sm" c="dimmed">
          {where}{' '}
          <Anchor component="button" type="button" inherit mih={44} onClick={open}>
            {action}
          </Anchor>
        </Text>
      )}
      {asking && <BankAccountDialog userId={userId} onClose={close} />}
    </>
  )
}
