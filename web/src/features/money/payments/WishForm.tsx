import { t } from '@lingui/core/macro'
import { Button, Group, Radio, Stack, Textarea, TextInput } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import type { Wish } from '@potluck/supabase/wish'
import { type FormEvent, type ReactElement, useState } from 'react'
import { formatIban, MOST_PASTED } from '#domain/format-iban.ts'
import { readWish, type WishForm as Typed } from '#domain/wish.ts'

interface WishFormProps {
  /** The saved payment details; null if there are none. */
  wish: Wish | null
  busy: boolean
  onSave: (wish: Wish) => void
  onCancel: () => void
}

const WORDS: Record<Wish['kind'], { label: string; description: string }> = {
  iban: { label: t`Bank transfer`, description: t`They see your IBAN and a QR code.` },
  link: { label: t`Payment link`, description: t`Your page at a payment service.` },
  text: { label: t`In your own words`, description: t`Cash, a standing order, or whatever suits you.` },
}
const KINDS = Object.keys(WORDS) as Wish['kind'][]

/** The form for payment details: a bank account, a payment link, or free text. */
export function WishForm({ wish, busy, onSave, onCancel }: WishFormProps) {
  const [typed, setTyped] = useState(() => toTyped(wish))
  const [problems, setProblems] = useState<Partial<Record<keyof Typed, string>>>({})
  const save = (event: FormEvent) => {
    event.preventDefault()
    const read = readWish(typed)
    if ('wish' in read) onSave(read.wish)
    else setProblems(read.problems)
  }
  const field = (name: 'iban' | 'holder' | 'link' | 'note') => ({
    value: typed[name],
    error: problems[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      setProblems({ ...problems, [name]: undefined })
      setTyped({ ...typed, [name]: event.currentTarget.value })
    },
  })
  const fieldsOf = (kind: Wish['kind']): ReactElement => {
    switch (kind) {
      case 'iban':
        return (
          <>
            <TextInput
              {...field('iban')}
              label="IBAN"
              autoComplete="off"
              spellCheck={false}
              maxLength={MOST_PASTED}
            />
            <TextInput
              {...field('holder')}
              label={t`Name on the account`}
              maxLength={LIMITS.longestHolder}
              autoComplete="name"
            />
          </>
        )
      case 'link':
        return (
          <TextInput
            {...field('link')}
            label={t`Address of the page`}
            placeholder="https://"
            type="url"
            maxLength={LIMITS.longestPaymentLink}
            autoComplete="off"
          />
        )
      case 'text':
        return (
          <Textarea
            {...field('note')}
            label={t`How to pay you`}
            rows={3}
            maxLength={LIMITS.longestPaymentNote}
          />
        )
    }
  }
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="md">
        <Radio.Group
          label={t`You are paid by`}
          value={typed.kind}
          onChange={(chosen) => {
            setProblems({})
            setTyped({ ...typed, kind: KINDS.find((kind) => kind === chosen) ?? 'iban' })
          }}
        >
          <Stack gap="xs" mt="xs">
            {KINDS.map((kind) => (
              <Radio key={kind} value={kind} {...WORDS[kind]} />
            ))}
          </Stack>
        </Radio.Group>
        {fieldsOf(typed.kind)}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel} disabled={busy}>
            {t`Cancel`}
          </Button>
          <Button type="submit" loading={busy}>
            {t`Save`}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function toTyped(wish: Wish | null): Typed {
  const typed = { kind: 'iban' as const, iban: '', holder: '', link: '', note: '', ...wish }
  return { ...typed, iban: formatIban(typed.iban) }
}
