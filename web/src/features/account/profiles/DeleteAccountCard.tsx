import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Checkbox, List, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { coinsInWords, MINIMUM_WITHDRAWAL } from '#domain/coins.ts'
import { formatMoney } from '#domain/money.ts'
import { unusedMoney } from '#domain/seats.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { profileTexts } from './profiles.messages.ts'
import { useDeleteAccount } from './profiles.mutations.ts'
import { accountEndQuery } from './profiles.queries.ts'

interface DeleteAccountCardProps {
  userId: string
  email: string
  hasBankAccount: boolean
  /** Shows the bank account and lets the person change it. */
  bankAccount: ReactNode
}

/** The card to delete the account. The database cancels the person's plans and pays out the coins in their wallet. */
export function DeleteAccountCard({ userId, email, hasBankAccount, bankAccount }: DeleteAccountCardProps) {
  const [asking, setAsking] = useState(false)
  const [typed, setTyped] = useState('')
  const [giveUpCoins, setGiveUpCoins] = useState(false)
  const end = useQuery({ ...accountEndQuery(userId), enabled: asking })
  const remove = useDeleteAccount(userId)
  const { coins = 0 } = end.data ?? {}
  const isLittle = coins > 0 && coins < MINIMUM_WITHDRAWAL
  const isSettled = end.data !== undefined && (coins === 0 || hasBankAccount || (isLittle && giveUpCoins))
  const certain = typed.trim().toLowerCase() === email.toLowerCase()
  const close = () => {
    setAsking(false)
    setTyped('')
    setGiveUpCoins(false)
  }
  return (
    <SectionCard titleId="delete-title" title={t`Delete account`} align="flex-start">
      <Text c="dimmed">
        {t`You leave every plan, and your own plans and chats end. Your members get back what they haven’t used. We pay what’s left in your wallet to your bank account. Past payment records stay, without your name.`}
      </Text>
      <Button color="beet" variant="outline" onClick={() => setAsking(true)}>
        {t`Delete my account`}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t`Delete your account?`}
        confirmLabel={t`Delete account`}
        cancelLabel={t`Keep account`}
        busy={remove.isPending}
        disabled={!certain || !isSettled}
        onConfirm={() => remove.mutate(giveUpCoins, { onError: close })}
        onClose={close}
      >
        <Stack gap="md">
          <Text>{t`This cannot be undone.`}</Text>
          <Loaded of={end} rows={1} failed={profileTexts.endFailed}>
            {({ plans, debts }) => (
              <>
                {plans.length > 0 && (
                  <Stack gap={4}>
                    <Text fw={600}>{t`This cancels your plans:`}</Text>
                    <List size="sm" spacing={4}>
                      {plans.map(({ id, name, currency, members, back, owed }) => (
                        <List.Item key={id}>
                          {[
                            t`${name}: ${plural(members, { one: '# member loses', other: '# members lose' })} access right away.`,
                            ...unusedMoney([
                              { settlement: 'potluck', unused: back, currency },
                              { settlement: 'direct', unused: owed, currency },
                            ]),
                          ].join(' ')}
                        </List.Item>
                      ))}
                    </List>
                  </Stack>
                )}
                {debts.map(({ member, plan, amount, currency }) => (
                  <Text key={`${member} ${plan} ${amount}`}>
                    {t`You owe ${member} ${formatMoney(amount, currency)} for ${plan}. It stays owed.`}
                  </Text>
                ))}
                {coins > 0 && (
                  <Stack gap={4}>
                    <Text fw={600}>
                      {plans.length > 0
                        ? t`That leaves you ${{ coins: coinsInWords(coins) }}.`
                        : t`You have ${{ coins: coinsInWords(coins) }} left.`}
                    </Text>
                    <Text size="sm">
                      <Trans>
                        We pay them to your bank account and email {email}. If your bank returns them, sign up
                        with this email again to get them back.
                      </Trans>
                    </Text>
                    {bankAccount}
                  </Stack>
                )}
                {isLittle && (
                  <Checkbox
                    label={t`I give up my ${coinsInWords(coins)} instead`}
                    checked={giveUpCoins}
                    onChange={(event) => setGiveUpCoins(event.currentTarget.checked)}
                  />
                )}
              </>
            )}
          </Loaded>
          <TextInput
            label={t`Type ${email} to confirm`}
            value={typed}
            autoComplete="off"
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        </Stack>
      </ConfirmDialog>
    </SectionCard>
  )
}
