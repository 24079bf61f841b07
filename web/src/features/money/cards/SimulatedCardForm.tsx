import { t } from '@lingui/core/macro'
import { Alert, Button, Code, Group, List, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { plainIban } from '@potluck/supabase/plain-iban'
import { useState } from 'react'
import { Collapsible } from '#ui/Collapsible.tsx'
import { useEnterCard, whyNot } from './cards.mutations.ts'

const TEST_CARDS = [
  ['4242 4242 4242 4242', t`works`],
  ['4000 0000 0000 0002', t`is declined when you save it`],
  ['4000 0000 0000 9995', t`has no money when charged`],
  ['4000 0025 0000 3155', t`asks you to confirm when you save it`],
  ['4000 0000 0000 3220', t`asks you to confirm each payment`],
  ['4000 0000 0000 0341', t`is saved, then declined when charged`],
  ['DE89 3704 0044 0532 0130 00', t`is a bank account, and takes days`],
  ['DE62 3704 0044 0532 0130 01', t`is a bank account, and fails in the end`],
] as const

/** Splits a card number or IBAN into groups of four, as printed on cards and statements. */
const inFours = (number: string) => plainIban(number).replaceAll(/(.{4})(?=.)/g, '$1 ')

/** The simulation's form for a card or a bank account. */
export function SimulatedCardForm() {
  const [problem, setProblem] = useState<string | null>(null)
  const form = useForm({
    initialValues: { number: '', expiry: '12/40' },
    validate: {
      number: (value) =>
        /^([A-Z]{2})?[\d ]{13,28}$/.test(inFours(value)) ? null : t`Enter one of the numbers below`,
      expiry: (value) =>
        /^(0[1-9]|1[0-2])\/\d\d$/.test(value) ? null : t`Enter month and year, such as 12/40`,
    },
  })
  const isIban = /^\s*[a-z]/i.test(form.values.number)
  const number = form.getInputProps('number')
  const enter = useEnterCard(({ status, code, redirectUrl }) => {
    setProblem(status === 'succeeded' || redirectUrl ? null : whyNot(code))
    if (status === 'succeeded') form.reset()
  })
  return (
    <form
      onSubmit={form.onSubmit(({ number, expiry }) => {
        const [month, year] = expiry.split('/').map(Number)
        enter.mutate({ number, expMonth: month ?? 0, expYear: 2000 + (year ?? 0) })
      })}
    >
      <Stack gap="md">
        {problem && (
          <Alert color="beet" role="alert">
            {problem}
          </Alert>
        )}
        <Group align="flex-start" grow preventGrowOverflow={false}>
          <TextInput
            label={t`Card number or IBAN`}
            autoCapitalize="characters"
            autoComplete="off"
            {...number}
            onBlur={(event) => {
              form.setFieldValue('number', inFours(form.values.number))
              number.onBlur(event)
            }}
          />
          {!isIban && (
            <TextInput label={t`Expiry`} maw={140} autoComplete="off" {...form.getInputProps('expiry')} />
          )}
        </Group>
        <Group>
          <Button type="submit" loading={enter.isPending}>
            {isIban ? t`Save bank account` : t`Save card`}
          </Button>
        </Group>
        <Collapsible name={t`Test cards and bank accounts`}>
          <List size="sm">
            {TEST_CARDS.map(([number, does]) => (
              <List.Item key={number}>
                <Code>{number}</Code> {does}
              </List.Item>
            ))}
          </List>
        </Collapsible>
      </Stack>
    </form>
  )
}
