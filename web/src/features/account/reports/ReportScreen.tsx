import { t } from '@lingui/core/macro'
import { Checkbox, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSession } from '#lib/session.ts'
import { ActionForm } from '#ui/ActionForm.tsx'
import { EmailInput } from '#ui/EmailInput.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LinkButton } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { ReportFields, type Said } from './ReportFields.tsx'
import { type Reported, useReport } from './reports.ts'

/** What a report is about, as named by a link to this page. */
export interface ReportTarget {
  kind: Reported
  id: string
}

/** What the link that led here is about. */
const ABOUT: Record<Reported, string> = {
  plan: t`You report the plan whose page you come from.`,
  person: t`You report the person whose page you come from.`,
  picture: t`You report the picture of the person whose page you come from.`,
  review: t`You report the review that you have just read.`,
  message: t`You report a message.`,
}

const PAGES = { plans: 'plan', subscription: 'plan', p: 'plan', people: 'person' } as const

/** Returns what a link to a page of this site is about; null if it leads to no plan or person. */
function targetOf(link: string): ReportTarget | null {
  const path = URL.canParse(link) ? new URL(link).pathname : link
  const [, page, id] = /\/(plans|subscription|people|p)\/([\w-]+)/.exec(path) ?? []
  return page && id ? { kind: PAGES[page as keyof typeof PAGES], id } : null
}

/**
 * The form to report something without an account, also for people who hold rights to it. Without a target it asks for a
 * link.
 */
export function ReportScreen({ target }: { target: ReportTarget | null }) {
  const [said, setSaid] = useState<Said>({ claim: '', body: '' })
  const [who, setWho] = useState({ link: '', name: '', email: '', goodFaith: false })
  const [isPicture, setPicture] = useState(target?.kind === 'picture')
  const [linkError, setLinkError] = useState<string | null>(null)
  const [isSent, setSent] = useState(false)
  const send = useReport(() => setSent(true))
  const { claim } = said
  const body = said.body.trim()
  // Of people with an account, the site knows who they are.
  const isKnown = useSession().status === 'signed-in'
  const needsName = claim !== 'children'
  const isComplete =
    body &&
    claim &&
    (target || who.link.trim()) &&
    (isKnown || (who.goodFaith && (!needsName || (who.name.trim() && who.email.trim()))))
  const submit = () => {
    if (!isComplete || !claim) return
    const about = target ?? targetOf(who.link.trim())
    if (!about) return setLinkError(t`This is no link to a plan or a person here.`)
    const { name, email, goodFaith } = who
    const kind = about.kind === 'person' && isPicture ? 'picture' : about.kind
    send.mutate({ kind, subject: about.id, claim, body, name, email, goodFaith })
  }
  if (isSent)
    return (
      <EmptyState
        order={1}
        title={t`We have your report`}
        action={<LinkButton to="/plans">{t`See all plans`}</LinkButton>}
      >
        {t`A person looks at it. If you gave an address, we confirm it there now, and write to you what we decide and why.`}
      </EmptyState>
    )
  return (
    <>
      <PageTitle title={t`Report something`}>
        {t`For whoever finds something illegal or wrong here, or whose rights it breaks. You need no account.`}
      </PageTitle>
      <ActionForm
        label={t`Report something`}
        action={t`Send report`}
        busy={send.isPending}
        disabled={!isComplete}
        onSubmit={submit}
      >
        {target && <Text>{ABOUT[target.kind]}</Text>}
        {target?.kind !== 'plan' && target?.kind !== 'review' && (
          <Checkbox
            label={t`It is about their picture`}
            checked={isPicture}
            onChange={({ currentTarget }) => setPicture(currentTarget.checked)}
          />
        )}
        {target === null && (
          <TextInput
            label={t`Link to the plan or the person`}
            description={t`Open its page here and copy the address from your browser.`}
            required
            value={who.link}
            error={linkError}
            onChange={({ currentTarget }) => {
              setLinkError(null)
              setWho({ ...who, link: currentTarget.value })
            }}
          />
        )}
        <ReportFields {...said} onChange={setSaid} />
        {!isKnown && (
          <>
            <TextInput
              label={t`Your name`}
              autoComplete="name"
              required={needsName}
              value={who.name}
              onChange={({ currentTarget }) => setWho({ ...who, name: currentTarget.value })}
            />
            <EmailInput
              label={t`Your email address`}
              description={t`We write to it what we decide. Whoever it is about isn’t told who you are.`}
              required={needsName}
              value={who.email}
              onChange={({ currentTarget }) => setWho({ ...who, email: currentTarget.value })}
            />
            <Checkbox
              label={t`In good faith I believe that what I write is right and complete.`}
              checked={who.goodFaith}
              onChange={({ currentTarget }) => setWho({ ...who, goodFaith: currentTarget.checked })}
            />
          </>
        )}
        <Text size="sm" c="dimmed">
          {t`A chat message can be reported in the chat, by whoever reads it there.`}
        </Text>
      </ActionForm>
    </>
  )
}
