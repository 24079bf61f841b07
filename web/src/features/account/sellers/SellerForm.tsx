import { t } from '@lingui/core/macro'
import { Button, Stack, Text, TextInput } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { type FormEvent, useState } from 'react'
import { type Seller, useDeclareSeller } from './sellers.queries.ts'

const PRIVATE: Seller = { isTrader: false, name: null, address: null, email: null, numbers: null }

interface SellerFormProps {
  /** The current declaration, if there is one. */
  seller: Seller | null
  /** True if the answer also confirms the person's age, which the site has not asked them for yet. */
  confirmsAge: boolean
  onDone: () => void
}

/** The choice between private person and trader; a trader adds the details that must be shown to members. */
export function SellerForm({ seller, confirmsAge, onDone }: SellerFormProps) {
  const [trader, setTrader] = useState(seller?.isTrader ? seller : null)
  const declare = useDeclareSeller(confirmsAge, onDone)
  const age = confirmsAge && (
    <Text>{t`With your choice you confirm that you’re at least ${LIMITS.leastAge} years old.`}</Text>
  )
  const asPrivate = (
    <Button
      fullWidth
      variant={trader ? 'default' : 'filled'}
      loading={declare.isPending && !declare.variables.isTrader}
      onClick={() => declare.mutate(PRIVATE)}
    >
      {t`As a private person`}
    </Button>
  )
  if (!trader)
    return (
      <Stack gap="md">
        <Text c="dimmed">
          {t`Choose trader if you share as part of a business. Members then have the rights of consumers and see your name and address.`}
        </Text>
        {age}
        {asPrivate}
        <Button fullWidth variant="default" onClick={() => setTrader({ ...PRIVATE, isTrader: true })}>
          {t`As a trader`}
        </Button>
      </Stack>
    )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    declare.mutate(trader)
  }
  const field = (name: Exclude<keyof Seller, 'isTrader'>, label: string) => ({
    ...{ label, name, maxLength: LIMITS.longestAddressLine, value: trader[name] ?? '' },
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      setTrader({ ...trader, [name]: currentTarget.value || null }),
  })
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text c="dimmed">{t`People who may ask for a place see this.`}</Text>
        <TextInput {...field('name', t`Your name or company`)} required data-autofocus />
        <TextInput {...field('address', t`Address`)} required autoComplete="street-address" />
        <TextInput {...field('email', t`Email`)} required type="email" autoComplete="email" />
        <TextInput {...field('numbers', t`Register and VAT number, if you have them`)} />
        {age}
        <Button type="submit" fullWidth loading={declare.isPending && declare.variables.isTrader}>
          {t`As a trader`}
        </Button>
        {asPrivate}
      </Stack>
    </form>
  )
}
