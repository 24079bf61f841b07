// The requests that Stripe accepts, read from the library that Stripe publishes: paths come from the library's code;
// parameters, their types and whether they are required come from its declarations. So the double refuses the same
// requests as Stripe, and follows new versions.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parseAst } from 'vite'

const RESOURCES = join(dirname(createRequire(import.meta.url).resolve('stripe')), '../esm/resources')

/** A refusal in Stripe's form. */
export interface Refusal {
  status: number
  body: { error: { type: 'invalid_request_error'; code?: string; param?: string; message: string } }
}

/** The fields of a syntax tree that are read here. */
interface SyntaxNode {
  type: string
  name?: string | SyntaxNode
  value?: string | SyntaxNode
  literal?: SyntaxNode
  id?: SyntaxNode
  key?: SyntaxNode
  left?: SyntaxNode
  right?: SyntaxNode
  local?: SyntaxNode
  imported?: SyntaxNode
  source?: SyntaxNode
  declaration?: SyntaxNode | null
  body?: SyntaxNode | SyntaxNode[]
  specifiers?: SyntaxNode[]
  params?: SyntaxNode[]
  types?: SyntaxNode[]
  members?: SyntaxNode[]
  extends?: SyntaxNode[]
  expression?: SyntaxNode
  optional?: boolean
  returnType?: SyntaxNode
  typeName?: SyntaxNode
  elementType?: SyntaxNode
  typeAnnotation?: SyntaxNode
  typeArguments?: SyntaxNode | null
  typeParameters?: SyntaxNode | null
}
interface Declared {
  node: SyntaxNode
  scope: Scope
}

const nameOf = (node: SyntaxNode | undefined): string =>
  typeof node?.name === 'string' ? node.name : node?.name ? nameOf(node.name) : String(node?.value ?? '')
const listOf = (node: SyntaxNode | undefined): SyntaxNode[] =>
  node === undefined ? [] : Array.isArray(node.body) ? node.body : listOf(node.body)

/** The declarations of a file or of a namespace in it. */
class Scope {
  readonly #types = new Map<string, () => Declared | undefined>()
  readonly #spaces = new Map<string, Scope>()
  readonly classes: SyntaxNode[] = []

  constructor(
    body: SyntaxNode[],
    readonly file: string,
    readonly parent?: Scope,
  ) {
    this.#readAll(body)
  }

  #readAll(body: SyntaxNode[]) {
    for (const statement of body) this.#read(statement.declaration ?? statement)
  }

  #read(node: SyntaxNode) {
    const name = nameOf(node.id)
    if (node.type === 'TSInterfaceDeclaration' || node.type === 'TSTypeAliasDeclaration')
      this.bind(name, { node, scope: this })
    if (node.type === 'TSModuleDeclaration') {
      // A namespace may be declared in several parts.
      const space = this.#spaces.get(name) ?? new Scope([], this.file, this)
      this.#spaces.set(name, space)
      space.#readAll(listOf(node))
    }
    if (node.type === 'ClassDeclaration') this.classes.push(node)
    for (const one of node.type === 'ImportDeclaration' ? (node.specifiers ?? []) : []) {
      const from = join(dirname(this.file), nameOf(node.source).replace(/\.js$/, '.d.ts'))
      this.#types.set(nameOf(one.local), () => fileScope(from).find([nameOf(one.imported)]))
    }
  }

  bind(name: string, declared: Declared) {
    this.#types.set(name, () => declared)
  }

  find([name = '', ...rest]: string[]): Declared | undefined {
    const here = rest.length > 0 ? this.#spaces.get(name)?.find(rest) : this.#types.get(name)?.()
    return here ?? this.parent?.find([name, ...rest])
  }
}

const files = new Map<string, Scope>()
function fileScope(file: string): Scope {
  const known = files.get(file)
  if (known) return known
  const { body } = parseAst(readFileSync(file, 'utf8'), { lang: 'dts' }) as unknown as { body: SyntaxNode[] }
  const scope = new Scope(body, file)
  files.set(file, scope)
  return scope
}

interface StripeRequest {
  verb: string
  path: RegExp
  /** The number of placeholders in the path. */
  open: number
  file: string
  method: string
}

let requests: StripeRequest[] | undefined
/** Returns all requests of the library: each of its methods makes one. */
function allRequests(): StripeRequest[] {
  requests ??= readdirSync(RESOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .flatMap((name) => {
      const found: StripeRequest[] = []
      let method = ''
      const source = readFileSync(join(RESOURCES, name), 'utf8')
      const pattern = /^ {4}(\w+)\(.*\{$|_makeRequest\('([A-Z]+)', (?:'([^']+)'|`([^`]+)`)/gm
      for (const [, begun, verb, plain, template] of source.matchAll(pattern)) {
        method = begun ?? method
        const parts = (plain ?? template ?? '').split(/\$\{.*?\}/)
        const file = join(RESOURCES, name.replace(/\.js$/, '.d.ts'))
        const path = new RegExp(`^${parts.join('[^/]+')}$`)
        if (verb) found.push({ verb, path, open: parts.length, file, method })
      }
      return found
    })
    .sort((one, other) => one.open - other.open)
  return requests
}

/** Returns the type of a request's parameters (undefined if it takes none) and of the objects in its answer. */
function typesOf({ file, method }: StripeRequest): {
  takes: Declared | undefined
  gives: Declared
  isList: boolean
} {
  const scope = fileScope(file)
  const methods = scope.classes
    .flatMap(listOf)
    .flatMap(({ key, value }) => (nameOf(key) === method && typeof value === 'object' ? [value] : []))
  const params = methods.flatMap((one) => one.params ?? []).find((one) => one.name === 'params')
  let gives = methods[0]?.returnType?.typeAnnotation
  const isList = partsOf(gives?.typeName)[0] === 'ApiListPromise'
  // Promise<Response<Charge>>
  for (let inner = gives; inner; inner = inner.typeArguments?.params?.[0]) gives = inner
  if (!gives) throw new Error(`Stripe’s library does not declare ${method} in ${file}`)
  const takes = params && { node: params.typeAnnotation?.typeAnnotation ?? params, scope }
  return { takes, gives: { node: gives, scope }, isList }
}

const refuse = (param: string, message: string, code?: string): Refusal => ({
  status: 400,
  body: { error: { type: 'invalid_request_error', ...(code && { code }), param, message } },
})

const isHash = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const partsOf = (node: SyntaxNode | undefined): string[] =>
  node?.type === 'TSQualifiedName' ? [...partsOf(node.left), ...partsOf(node.right)] : [nameOf(node)]

/** Returns a hash's fields, including inherited ones, and the type of all others, if others are allowed. */
function fieldsOf(members: SyntaxNode[], scope: Scope, inherited: SyntaxNode[] = []) {
  const fields = new Map<string, Declared & { optional: boolean }>()
  let others: Declared | undefined
  for (const { expression } of inherited) {
    const base = scope.find(partsOf(expression))
    if (base) for (const field of hashOf(base).fields) fields.set(...field)
  }
  for (const { type, key, optional, typeAnnotation } of members) {
    const node = typeAnnotation?.typeAnnotation
    if (!node) continue
    if (type === 'TSIndexSignature') others = { node, scope }
    else fields.set(nameOf(key), { node, scope, optional: optional === true })
  }
  return { fields, others }
}
const hashOf = ({ node, scope }: Declared) => fieldsOf(listOf(node), scope, node.extends)

function checkHash(value: unknown, hash: ReturnType<typeof fieldsOf>, at: string): Refusal | undefined {
  if (!isHash(value)) return refuse(at, 'Invalid object')
  const below = (name: string) => (at ? `${at}[${name}]` : name)
  for (const [name, one] of Object.entries(value)) {
    const field = hash.fields.get(name) ?? hash.others
    if (!field) return refuse(below(name), `Received unknown parameter: ${below(name)}`, 'parameter_unknown')
    const refusal = one === undefined ? undefined : check(one, field, below(name))
    if (refusal) return refusal
  }
  const [missing] =
    [...hash.fields].find(([name, { optional }]) => !optional && value[name] === undefined) ?? []
  return missing === undefined
    ? undefined
    : refuse(below(missing), `Missing required param: ${below(missing)}.`, 'parameter_missing')
}

function checkUnion(value: unknown, types: SyntaxNode[], scope: Scope, at: string): Refusal | undefined {
  // Accepts only values that the library knows: this version of Stripe's API accepts no others.
  const known = types.filter(({ typeName }) => nameOf(typeName) !== 'OtherString')
  const refusals = known.map((node) => check(value, { node, scope }, at))
  if (refusals.includes(undefined)) return undefined
  const choices = known.flatMap(({ literal }) => (literal ? [nameOf(literal)] : []))
  return choices.length === known.length
    ? refuse(at, `Invalid ${at}: must be one of ${choices.join(', ')}`)
    : refusals.at(isHash(value) ? refusals.findIndex((one) => one?.body.error.param !== at) : -1)
}

/** Checks that a parameter has this type; in forms, all values are texts. */
function check(value: unknown, { node, scope }: Declared, at: string): Refusal | undefined {
  const orRefuse = (isRight: boolean, what: string, code?: string) =>
    isRight ? undefined : refuse(at, `Invalid ${what}: ${JSON.stringify(value)}`, code)
  switch (node.type) {
    case 'TSStringKeyword':
      return value === ''
        ? refuse(at, `You passed an empty string for '${at}'`, 'parameter_invalid_empty')
        : orRefuse(typeof value === 'string', 'string', 'parameter_invalid_string')
    case 'TSNumberKeyword':
      return orRefuse(/^-?\d+(\.\d+)?$/.test(String(value)), 'integer', 'parameter_invalid_integer')
    case 'TSBooleanKeyword':
      return orRefuse(['true', 'false'].includes(String(value)), 'boolean')
    case 'TSNullKeyword':
      return orRefuse(value === '' || value === null, 'value')
    case 'TSLiteralType':
      return orRefuse(value === nameOf(node.literal), at)
    case 'TSUnionType':
      return checkUnion(value, node.types ?? [], scope, at)
    case 'TSTypeLiteral':
      return checkHash(value, fieldsOf(node.members ?? [], scope), at)
    case 'TSInterfaceDeclaration':
      return checkHash(value, hashOf({ node, scope }), at)
    case 'TSTypeReference':
      return checkNamed(value, node, scope, at)
    default:
      throw new Error(`Stripe’s library has a type that this cannot check: ${node.type} of ${at}`)
  }
}

function checkNamed(value: unknown, node: SyntaxNode, scope: Scope, at: string): Refusal | undefined {
  const given = (node.typeArguments?.params ?? []).map((one) => ({ node: one, scope }))
  const path = partsOf(node.typeName)
  const [argument] = given
  if (path[0] === 'Array' && argument) {
    if (!Array.isArray(value)) return refuse(at, 'Invalid array')
    for (const [place, one] of value.entries()) {
      const refusal = check(one, argument, `${at}[${place}]`)
      if (refusal) return refusal
    }
    return undefined
  }
  // An amount with decimals is sent as a text.
  if (path[0] === 'Decimal') return check(value, { node: { type: 'TSNumberKeyword' }, scope }, at)
  const declared = scope.find(path)
  if (!declared) throw new Error(`Stripe’s library does not declare ${path.join('.')}, of ${at}`)
  if (declared.node.type !== 'TSTypeAliasDeclaration') return check(value, declared, at)
  const within = new Scope([], declared.scope.file, declared.scope)
  for (const [place, { name }] of (declared.node.typeParameters?.params ?? []).entries()) {
    const bound = given[place]
    if (bound) within.bind(nameOf({ type: '', ...(name !== undefined && { name }) }), bound)
  }
  return check(value, { node: declared.node.typeAnnotation ?? declared.node, scope: within }, at)
}

/** Whether an object has a field with another object's id, or with that object when expanded. */
function isExpandable(thing: Declared, [name = '', ...rest]: string[]): boolean {
  const declared = thing.scope.find(partsOf(thing.node.typeName))
  const field = declared && hashOf(declared).fields.get(name)
  const types = field?.node.types ?? []
  return (
    field !== undefined &&
    types.some(({ type }) => type === 'TSStringKeyword') &&
    (rest.length === 0 || types.some((node) => isExpandable({ node, scope: field.scope }, rest)))
  )
}

/** Returns `a[b][0]=c` as {a: {b: ['c']}}. */
export function nested(fields: Iterable<[string, string]>): Record<string, unknown> {
  const tree: Record<string, unknown> = {}
  for (const [name, value] of fields) {
    const keys = name.split(/[[\]]+/).filter(Boolean)
    const last = keys.pop() ?? ''
    let at = tree
    for (const key of keys) {
      const next = isHash(at[key]) ? at[key] : {}
      at[key] = next
      at = next
    }
    at[last] = value
  }
  return withLists(tree)
}
const withLists = (tree: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(tree).map(([key, value]) => {
      if (!isHash(value)) return [key, value]
      const below = withLists(value)
      return [key, Object.keys(value).every((one) => /^\d+$/.test(one)) ? Object.values(below) : below]
    }),
  )

/** Returns Stripe's reason for refusing a request's path or parameters; undefined if Stripe accepts them. */
export function refusalOf(verb: string, path: string, params: Record<string, unknown>): Refusal | undefined {
  const request = allRequests().find((one) => one.verb === verb && one.path.test(path))
  if (!request) {
    const message = `Unrecognized request URL (${verb}: ${path}).`
    return { status: 404, body: { error: { type: 'invalid_request_error', message } } }
  }
  const { takes, gives, isList } = typesOf(request)
  const refusal = takes
    ? check(params, takes, '')
    : checkHash(params, { fields: new Map(), others: undefined }, '')
  const expands = Array.isArray(params.expand) ? params.expand.map(String) : []
  const wrong = expands.find(
    (path) => !isExpandable(gives, (isList ? path.replace(/^data\./, '') : path).split('.')),
  )
  return (
    refusal ??
    (wrong === undefined ? undefined : refuse('expand', `This property cannot be expanded (${wrong}).`))
  )
}
