// Light stand-ins for Request and Response, which create the built-in object only when one of its features is needed:
// creating one costs several times what a small function does. Importing this file replaces the global Request,
// Response and fetch.

const Builtin = { Request, Response, fetch }
const decoder = new TextDecoder()
const WITHOUT_BODY = new Set([204, 205, 304])

/** A request from a client. */
export class LazyRequest {
  #method
  #url
  #flat
  /** @type {Headers | undefined} */
  #headers
  #body
  #isRead = false
  /** @type {Request | undefined} */
  #whole
  /**
   * @param {string} method
   * @param {string} url
   * @param {string[]} flat the headers, as alternating names and values
   * @param {ArrayBuffer | null} body
   */
  constructor(method, url, flat, body) {
    this.#method = method
    this.#url = url
    this.#flat = flat
    this.#body = body
  }
  get method() {
    return this.#method
  }
  get url() {
    return this.#url
  }
  get headers() {
    this.#headers ??= new Headers(
      this.#flat.flatMap((name, at) => (at % 2 === 0 ? [[name, this.#flat[at + 1]]] : [])),
    )
    return this.#headers
  }
  async text() {
    const body = this.#take()
    return body ? decoder.decode(body) : LazyRequest.whole(this).text()
  }
  async json() {
    const body = this.#take()
    return body ? JSON.parse(decoder.decode(body)) : LazyRequest.whole(this).json()
  }
  async arrayBuffer() {
    return this.#take() ?? LazyRequest.whole(this).arrayBuffer()
  }
  /** Returns the body, or null if it was read already or has become part of the built-in request. */
  #take() {
    if (this.#whole || this.#isRead) return null
    this.#isRead = this.#body !== null
    return this.#body
  }
  /** Returns the built-in request for a request of either kind. */
  static whole(request) {
    if (typeof request !== 'object' || request === null || !(#whole in request)) return request
    if (request.#whole) return request.#whole
    const { method, url, headers } = request
    request.#whole = new Builtin.Request(url, { method, headers, body: request.#isRead ? '' : request.#body })
    // Reading the body here marks it as used, so the built-in request refuses to read it again.
    if (request.#isRead) void request.#whole.text()
    return request.#whole
  }
}

/** A response whose body is a text. */
class LazyResponse {
  #text
  #type
  #status
  /** @type {Headers | undefined} */
  #headers
  /** @type {Response | undefined} */
  #whole
  /**
   * @param {string} text
   * @param {ResponseInit} init
   * @param {string} type the content type, unless the headers of `init` set one
   */
  constructor(text, { status = 200, headers }, type) {
    this.#text = text
    this.#type = type
    this.#status = status
    if (headers === undefined) return
    this.#headers = new Headers(headers)
    if (!this.#headers.has('content-type')) this.#headers.set('content-type', type)
  }
  get status() {
    return this.#status
  }
  get headers() {
    this.#headers ??= new Headers({ 'content-type': this.#type })
    return this.#headers
  }
  clone() {
    if (!this.#whole) return new LazyResponse(this.#text, this, this.#type)
    return new Builtin.Response(this.#whole.clone().body, this)
  }
  /**
   * Returns status, headers and text of any response. Without a text, the body has to be read as a stream, if there is
   * any.
   */
  static parts(response) {
    const isHere = #whole in response && !response.#whole
    const isUsual = isHere && !response.#headers
    return {
      status: response.status,
      headers: isUsual ? ['content-type', response.#type] : [...response.headers].flat(),
      text: isHere ? response.#text : undefined,
    }
  }
  static whole(response) {
    response.#whole ??= new Builtin.Response(response.#text, {
      status: response.#status,
      headers: response.headers,
    })
    return response.#whole
  }
}
export const partsOf = LazyResponse.parts

/** Makes a lazy class inherit from the built-in one, and forwards the members it does not implement. */
function complete(Lazy, { prototype }) {
  Reflect.deleteProperty(Lazy.prototype, 'constructor')
  for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (name === 'constructor' || name in Lazy.prototype) continue
    Object.defineProperty(Lazy.prototype, name, {
      configurable: true,
      enumerable: true,
      ...(get
        ? {
            get() {
              return Lazy.whole(this)[name]
            },
          }
        : {
            value(...given) {
              return Lazy.whole(this)[name](...given)
            },
          }),
    })
  }
  Object.setPrototypeOf(Lazy.prototype, prototype)
}
complete(LazyRequest, Builtin.Request)
complete(LazyResponse, Builtin.Response)

/** True if a response can be lazy. The built-in class creates all others, and refuses invalid ones. */
const isText = (body, { status = 200, statusText }) =>
  typeof body === 'string' &&
  statusText === undefined &&
  Number.isInteger(status) &&
  status >= 200 &&
  status < 600 &&
  !WITHOUT_BODY.has(status)

function json(data, init) {
  const text = JSON.stringify(data)
  return isText(text, init ?? {})
    ? new LazyResponse(text, init ?? {}, 'application/json')
    : Builtin.Response.json(data, init)
}

globalThis.fetch = (input, init) => Builtin.fetch(LazyRequest.whole(input), init)
globalThis.Request = new Proxy(Builtin.Request, {
  construct: (target, [input, ...rest], asked) =>
    Reflect.construct(target, [LazyRequest.whole(input), ...rest], asked),
})
globalThis.Response = new Proxy(Builtin.Response, {
  construct: (target, given, asked) => {
    const [body, init] = given
    return asked === globalThis.Response && isText(body, init ?? {})
      ? new LazyResponse(body, init ?? {}, 'text/plain;charset=UTF-8')
      : Reflect.construct(target, given, asked)
  },
  get: (target, name) => (name === 'json' ? json : Reflect.get(target, name)),
})
for (const Class of [Request, Response]) Class.prototype.constructor = Class
