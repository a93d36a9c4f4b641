// What all pages share: requests, elements, errors, and the secrets of this browser's seats.
"use strict";

export async function ask(path, body) {
  const options = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  let response;
  try { response = await fetch(path, options); } catch { throw new Error("The server does not answer. It may have been stopped; the page tries again."); }
  const data = await response.json().catch(() => ({})); // a proxy in between may answer in another form
  if (!response.ok) throw Object.assign(new Error(data.error || `The server answered ${response.status}.`), { isAnswer: response.status < 500 });
  return data;
}

export async function remove(path) {
  const response = await fetch(path, { method: "DELETE", headers: { "Content-Type": "application/json" }, body: "{}" });
  if (!response.ok) throw new Error((await response.json()).error);
}

export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element && key !== "list") element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

export const by = (id) => document.getElementById(id);

export const words = (error) => String(error.message || error);

export function say(error) { by("error").textContent = error ? words(error) : ""; }

by("dismiss").onclick = () => say("");

export async function attempt(work) {
  try { await work(); say(""); } catch (error) { say(error); }
}

export function number(value, digits = 4) {
  return value === null || value === undefined ? "–" : value.toLocaleString("en", { maximumSignificantDigits: digits });
}

// With as many digits as tell neighbours apart, within reason.
export function numbers(values, least = 4, most = 6) {
  for (let digits = least; ; digits += 1) {
    const shown = values.map((value) => number(value, digits));
    if (digits >= most || shown.every((text, index) => !index || text !== shown[index - 1] || values[index] === values[index - 1])) return shown;
  }
}

export const counted = (count, thing) => `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : "s"}`;

// Of the same day only the time; pages show times of this browser's clock.
export function when(seconds) {
  if (!seconds) return "–";
  const date = new Date(1000 * seconds), time = date.toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
  return date.toDateString() === new Date().toDateString() ? time : `${date.toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" })}, ${time}`;
}

export const shortId = (room) => room.slice(0, 5); // enough for people to tell games apart

export function secretsOf(room) {
  const own = new URLSearchParams(location.hash.slice(1)).get("seat");
  const kept = JSON.parse(localStorage.getItem(`turnwise ${room}`) || "[]");
  if (own && !kept.includes(own)) { kept.push(own); keepSecrets(room, kept); }
  return own ? own : kept.join(".");
}

export function keepSecrets(room, secrets) {
  localStorage.setItem(`turnwise ${room}`, JSON.stringify(secrets.filter(Boolean)));
}
