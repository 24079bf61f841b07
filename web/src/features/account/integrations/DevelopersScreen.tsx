import { t } from '@lingui/core/macro'
import { Accordion, Anchor, Button, Code, Container, Group, Stack, Text, Title } from '@mantine/core'
import { ALLOWANCES } from '@potluck/supabase/limits'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CopyableCode } from '#ui/CopyableCode.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { LinkButton } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { AssistantsCard } from './AssistantsCard.tsx'
import { type Call, callsQuery, type Field } from './calls.query.ts'
import classes from './DevelopersScreen.module.css'
import { functionAddress, SCOPES, type Scope } from './tokens.ts'

/** The API reference: every call a program can make with a token, rendered from openapi.json. */
export function DevelopersScreen() {
  const calls = useQuery(callsQuery)
  return (
    <Container size="md" py={{ base: 'md', sm: 'xl' }}>
      <PageTitle
        title={t`For developers`}
        actions={<LinkButton to="/account-settings/programs">{t`Create a token`}</LinkButton>}
      >{t`Read and write your plans from a script, a dashboard or your smart home.`}</PageTitle>
      <Stack gap="xl">
        <Beginning />
        <AssistantsCard />
        <Loaded of={calls} failed={t`The calls could not be loaded`}>
          {({ version, common, scopes }) => (
            <>
              <Group component="nav" aria-label={t`Calls by scope`} gap="md">
                {scopes.map(({ name }) => (
                  <Anchor key={name} href={`#of-${name}`}>
                    {SCOPES[name as Scope].title}
                  </Anchor>
                ))}
              </Group>
              <SectionCard titleId="tables-title" title={t`Filter and sort`} gap="xs">
                <Text c="dimmed">{t`Tables, and functions that answer with rows, are filtered and sorted like this.`}</Text>
                <Fields of={common} />
              </SectionCard>
              {scopes.map(({ name, text, calls: own }) => (
                <section key={name} aria-labelledby={`of-${name}`}>
                  <Title order={2} size="h3" id={`of-${name}`}>
                    {SCOPES[name as Scope].title}
                  </Title>
                  <Text c="dimmed" mb="xs" lang="en">
                    {text}
                  </Text>
                  <Calls of={own} />
                </section>
              ))}
              <Text
                c="dimmed"
                size="sm"
              >{t`Last changed on ${version}. Calls only ever gain something: ignore what you don’t know.`}</Text>
            </>
          )}
        </Loaded>
      </Stack>
    </Container>
  )
}

function Beginning() {
  const file = new URL('/openapi.json', window.location.origin).href
  const examples = [
    ['curl', `curl -H "Authorization: Bearer $POTLUCK_TOKEN" "${functionAddress('api')}/rpc/my_seats"`],
    [
      'TypeScript',
      `// npm install openapi-fetch && npx openapi-typescript ${file} -o potluck.ts
import createClient from 'openapi-fetch'
import type { paths } from './potluck.ts'
const potluck = createClient<paths>({
  baseUrl: '${functionAddress('api')}',
  headers: { authorization: \`Bearer \${process.env.POTLUCK_TOKEN}\` },
})
const { data } = await potluck.GET('/rpc/my_seats')`,
    ],
    [
      'Python',
      `import os, requests
headers = {"Authorization": f"Bearer {os.environ['POTLUCK_TOKEN']}"}
places = requests.get("${functionAddress('api')}/rpc/my_seats", headers=headers).json()`,
    ],
  ] as const
  return (
    <SectionCard
      titleId="begin-title"
      title={t`Get started`}
      aside={
        <Button component="a" href={file} variant="default">
          {'OpenAPI 3.1'}
        </Button>
      }
    >
      <Text c="dimmed">{t`Send your token with every call. The OpenAPI file describes all of them, for tools that make clients from it.`}</Text>
      {examples.map(([title, text]) => (
        <CopyableCode key={title} title={title}>
          {text}
        </CopyableCode>
      ))}
      <Text c="dimmed">{t`What is refused is answered with a code and a sentence. You can call ${{ count: ALLOWANCES['token call'].attempts }} times a minute.`}</Text>
    </SectionCard>
  )
}

/** A list of calls. Closed entries are not rendered: together they are thousands of lines. */
function Calls({ of }: { of: Call[] }) {
  const [open, setOpen] = useState<string | null>(null)
  return (
    <Accordion order={3} chevronPosition="right" value={open} onChange={setOpen}>
      {of.map((call) => {
        const name = `${call.method} ${call.path}`
        return (
          <Accordion.Item key={name} value={name}>
            <Accordion.Control>
              <Group gap="xs" wrap="nowrap" lang="en">
                <Code className={classes.method}>{call.method}</Code>
                <div>
                  <Text ff="monospace" fw={600} size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {call.path}
                  </Text>
                  <Text size="sm" c="dimmed">
                    <Said>{call.summary}</Said>
                  </Text>
                </div>
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              {open === name && (
                <Stack gap="md">
                  <Text lang="en">
                    <Said>{call.text}</Said>
                  </Text>
                  <Part title={t`You send`} of={call.sent} />
                  <Part title={t`You get`} of={call.answer} />
                </Stack>
              )}
            </Accordion.Panel>
          </Accordion.Item>
        )
      })}
    </Accordion>
  )
}

const Part = ({ title, of }: { title: string; of: Field[] }) =>
  of.length > 0 && (
    <div>
      <Text fw={600} mb={4}>
        {title}
      </Text>
      <Fields of={of} />
    </div>
  )

/** Renders text, showing `names in backticks` as code. */
const Said = ({ children }: { children: string }) =>
  [...children.matchAll(/`(.+?)`|[^`]+/g)].map(({ 0: text, 1: name, index }) =>
    name ? <Code key={index}>{name}</Code> : text,
  )

const Fields = ({ of }: { of: Field[] }) => (
  <ul className={classes.fields} lang="en">
    {of.map(({ name, type, needed, text, parts }) => (
      <li key={`${name} ${text}`}>
        <Group gap={6} wrap="wrap">
          {name && <Code>{name}</Code>}
          <Text span size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {needed ? t`${type}, required` : type}
          </Text>
        </Group>
        <Text size="sm">
          <Said>{text}</Said>
        </Text>
        {parts.length > 0 && <Fields of={parts} />}
      </li>
    ))}
  </ul>
)
